import AppStoreModel
import PerennialCommandSupport

/// JSON for people: indented, with readable times, and safe for a terminal.
///
/// Programs read ``AppStoreModel/JSONValue/serialize()`` instead.
struct ReadableJSON {
    private static let step = "  "

    private let hidesSigned: Bool
    private var lines: [String] = []

    /// The value, on one or more lines.
    ///
    /// - Parameter hidesSigned: Whether a note replaces signed texts, which are kilobytes without readable content.
    static func text(_ value: JSONValue, hidesSigned: Bool = false) -> String {
        var layout = ReadableJSON(hidesSigned: hidesSigned)
        layout.add(value, key: nil, depth: 0, after: "")
        return layout.lines.joined(separator: "\n")
    }

    private init(hidesSigned: Bool) {
        self.hidesSigned = hidesSigned
    }

    private mutating func add(_ value: JSONValue, key: String?, depth: Int, after: String) {
        switch value {
        case .object(let object) where !object.isEmpty:
            open("{", key, depth)
            let last = object.count - 1
            for (index, member) in object.members.enumerated() {
                add(member.value, key: member.key, depth: depth + 1, after: index == last ? "" : ",")
            }
            append("}" + after, nil, depth)
        case .array(let elements) where !elements.isEmpty:
            open("[", key, depth)
            for (index, element) in elements.enumerated() {
                add(element, key: nil, depth: depth + 1, after: index == elements.count - 1 ? "" : ",")
            }
            append("]" + after, nil, depth)
        case .string(let text) where hidesSigned && SignedInside.decoded(text) != nil:
            append("(signed, see below)" + after, key, depth)
        default:
            let remark = Self.timeText(value, key: key).map { "  (\($0))" } ?? ""
            append(Self.scalar(value) + after + remark, key, depth)
        }
    }

    private mutating func open(_ bracket: String, _ key: String?, _ depth: Int) {
        append(bracket, key, depth)
    }

    private mutating func append(_ text: String, _ key: String?, _ depth: Int) {
        let name = key.map { Self.scalar(.string($0)) + ": " } ?? ""
        lines.append(String(repeating: Self.step, count: depth) + name + text)
    }

    /// JSON escapes some control characters; terminals interpret others too.
    private static func scalar(_ value: JSONValue) -> String {
        TerminalText.escaped(String(decoding: value.serialize(), as: UTF8.self))
    }

    /// The note for a time, by the name of its member: Apple's are milliseconds, those of tokens are seconds.
    private static func timeText(_ value: JSONValue, key: String?) -> String? {
        guard let key, let number = value.truncatedInteger else { return nil }
        switch key {
        case "iat", "exp": return UTCTime.text(seconds: number)
        case "timestamp": return UTCTime.text(milliseconds: number)
        case _ where key.hasSuffix("Date"): return UTCTime.text(milliseconds: number)
        default: return nil
        }
    }
}
