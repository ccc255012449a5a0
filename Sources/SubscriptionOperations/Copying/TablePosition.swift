package import AppStoreModel

/// A position after a row in a file of signed inputs, up to which the file is on the disk. Another process can continue
/// there.
package struct TablePosition: Hashable, Sendable {
    /// The number of rows before it.
    package let rows: Int
    /// The number of bytes before it.
    package let bytes: Int
    /// The SHA-256 of these bytes, in hexadecimal digits.
    let sha256: String
    /// The app of the last row. The row has the app's last sequence number.
    let lastApp: String
    /// The SHA-256 of the text of the last row, in hexadecimal digits.
    let lastRowSHA256: String
    /// The last sequence number of each app that has rows.
    let lastSequences: [String: Int64]
}

extension TablePosition {
    /// The position as an object.
    package var json: JSONObject {
        var object = JSONObject()
        object["rows"] = .integer(Int64(rows))
        object["bytes"] = .integer(Int64(bytes))
        object["sha256"] = .string(sha256)
        object["last_app_id"] = .string(lastApp)
        object["last_row_sha256"] = .string(lastRowSHA256)
        var sequences = JSONObject()
        for (app, sequence) in lastSequences.sorted(by: { $0.key < $1.key }) { sequences[app] = .integer(sequence) }
        object["last_sequences"] = .object(sequences)
        return object
    }

    /// Reads an object of ``json``; nil for another one.
    package init?(json: JSONObject) {
        func number(_ name: String) -> Int? { json[name]?.integerValue.flatMap { Int(exactly: $0) } }
        guard let rows = number("rows"), rows > 0, let bytes = number("bytes"), bytes > 0,
            let sha256 = json["sha256"]?.stringValue, let lastApp = json["last_app_id"]?.stringValue,
            let lastRowSHA256 = json["last_row_sha256"]?.stringValue,
            let sequences = json["last_sequences"]?.objectValue
        else { return nil }
        var lastSequences: [String: Int64] = [:]
        for member in sequences.members {
            guard let sequence = member.value.integerValue, sequence > 0 else { return nil }
            lastSequences[member.key] = sequence
        }
        guard lastSequences[lastApp] != nil else { return nil }
        self.init(
            rows: rows,
            bytes: bytes,
            sha256: sha256,
            lastApp: lastApp,
            lastRowSHA256: lastRowSHA256,
            lastSequences: lastSequences
        )
    }
}
