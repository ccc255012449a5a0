import AppStoreModel
import AppStoreSigning
import PerennialCommandSupport

/// A signed text inside a string of other JSON.
struct SignedInside {
    /// The maximum nesting of texts: a notification in a history, and a transaction in that.
    private static let levelsMax = 3

    /// The maximum number of texts; a page of the notification history has sixty.
    private static let countMax = 256

    /// Its path: `data.signedTransactionInfo`.
    let path: String

    /// Its content, unverified.
    let jws: UnverifiedJWS

    /// The signed texts in a value and, recursively, in their payloads; each follows the one that contains it.
    static func find(in value: JSONValue) -> [SignedInside] {
        var found: [SignedInside] = []
        find(in: value, path: "", level: 1, &found)
        return found
    }

    /// For people.
    var text: String {
        TerminalText.escaped(path) + " " + ReadableJSON.text(.object(jws.payload), hidesSigned: true)
    }

    private static func find(in value: JSONValue, path: String, level: Int, _ found: inout [SignedInside]) {
        switch value {
        case .string(let text):
            guard found.count < countMax, let jws = decoded(text) else { return }
            found.append(SignedInside(path: path, jws: jws))
            if level < levelsMax { find(in: .object(jws.payload), path: path, level: level + 1, &found) }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                find(in: element, path: "\(path)[\(index)]", level: level, &found)
            }
        case .object(let object):
            for member in object.members {
                let inner = path.isEmpty ? member.key : "\(path).\(member.key)"
                find(in: member.value, path: inner, level: level, &found)
            }
        default:
            break
        }
    }

    /// The decoded text, if it has the form of a signed one: `{"` in base64url, and three segments.
    static func decoded(_ text: String) -> UnverifiedJWS? {
        guard text.utf8.starts(with: "eyJ".utf8) else { return nil }
        return try? UnverifiedJWS.decode(text)
    }
}
