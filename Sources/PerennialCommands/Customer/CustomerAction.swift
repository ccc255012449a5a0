import AppStoreModel

/// Something that can be done for a customer.
struct CustomerAction: Hashable {
    /// What to do, in plain words.
    let action: String
    /// The command or call of the server's API; nil if only the customer can do it.
    var command: String?
    /// Why it helps, or what to know about it.
    let because: String

    /// The lines of a report.
    var lines: [String] { ["  \(action)"] + (command.map { ["    \($0)"] } ?? []) + ["    \(because)"] }

    /// The action as JSON.
    var json: JSONObject {
        ["action": .string(action), "command": command.map(JSONValue.string) ?? .null, "because": .string(because)]
    }
}

extension CustomerAction {
    /// A call of the server's API.
    static func call(_ path: String, _ body: JSONObject, method: String = "POST") -> String {
        "\(method) \(path) \(String(decoding: body.serialize(), as: UTF8.self))"
    }

    /// A text as one word of a command line.
    static func argument(_ text: String) -> String {
        let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:@%+=,/"
        if !text.isEmpty, text.allSatisfy({ plain.contains($0) }) { return text }
        let escaped = text.replacing("'", with: #"'\''"#)
        return "'\(escaped)'"
    }
}
