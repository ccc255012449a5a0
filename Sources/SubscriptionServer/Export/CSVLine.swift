package import AppStoreModel

/// A line of comma-separated values.
///
/// A text that a spreadsheet would run as a formula gets an apostrophe, because users choose their identifiers
/// themselves. So does one that begins with apostrophes before such a text. Every text is read back as it was.
package enum CSVLine {
    private static let special: Set<UInt8> = [0x22, 0x2C, 0x0A, 0x0D]
    /// What a spreadsheet takes for the beginning of a formula.
    private static let formula: Set<UInt8> = Set("=+-@\t\r".utf8)
    private static let apostrophe = UInt8(ascii: "'")

    /// The line of some values, with its end. Fields are quoted as in RFC 4180.
    package static func text(of values: [JSONValue]) -> [UInt8] {
        var line: [UInt8] = []
        for (index, value) in values.enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            var field: [UInt8]
            switch value {
            case .null: continue
            case .string(let text):
                field = Array(text.utf8)
                if isFormula(field) { field.insert(apostrophe, at: 0) }
            default: field = value.serialize()
            }
            guard field.contains(where: special.contains) else {
                line += field
                continue
            }
            line.append(UInt8(ascii: "\""))
            for byte in field {
                line.append(byte)
                if byte == UInt8(ascii: "\"") { line.append(byte) }
            }
            line.append(UInt8(ascii: "\""))
        }
        return line + [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }

    /// The text that was written as a field, without the apostrophe of ``text(of:)``.
    package static func text(in field: String) -> String {
        guard field.utf8.first == apostrophe, isFormula(field.utf8) else { return field }
        return String(field.unicodeScalars.dropFirst())
    }

    /// Whether the first byte after any apostrophes begins a formula.
    private static func isFormula(_ text: some Sequence<UInt8>) -> Bool {
        text.first { $0 != apostrophe }.map { formula.contains($0) } ?? false
    }
}
