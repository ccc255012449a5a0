import AppStoreModel

/// A refund request of the server, as text.
struct RefundRequestText {
    private let request: JSONObject

    init(_ request: JSONObject) {
        self.request = request
    }

    /// The request on one line.
    func line(_ times: LocalTimes) -> String {
        let asked = times.text(request["requested_at"]) ?? "?"
        let because = request["error"]?.objectValue?["code"]?.stringValue.map { ": \($0)" } ?? ""
        let due = due(times).map { ", until \($0)" } ?? ""
        let decided = request["outcome"]?.stringValue.map { "; Apple: \($0)" } ?? ""
        return "\(text("id"))  \(asked)  \(text("product_id"))  \(text("reason", or: "no reason"))  "
            + "\(result)\(because)\(due)\(decided)"
    }

    /// The request with what was known.
    func lines(_ times: LocalTimes) -> [String] {
        var lines = [
            "refund request \(text("id"))",
            "  purchase: \(text("purchase_id")), transaction \(text("transaction_id")), \(text("product_id"))",
            "  asked: \(times.text(request["requested_at"]) ?? "?"), because: \(text("reason", or: "not said"))",
            "  answer: \(result)",
        ]
        if let due = due(times) { lines.append("  time for an answer: until \(due)") }
        if let error = request["error"]?.objectValue {
            lines.append("  \(error["code"]?.stringValue ?? "?"): \(error["message"]?.stringValue ?? "")")
        }
        lines.append("  Apple's decision: \(text("outcome", or: "not known yet"))")
        guard let facts = request["facts"]?.objectValue else { return lines }
        lines.append("  known at the decision:")
        return lines
            + facts.members.map { member in
                "    \(member.key): \(Self.text(of: member.value, named: member.key, times))"
            }
    }

    /// The end of the time for an answer; nil if the request does not wait for one.
    private func due(_ times: LocalTimes) -> String? {
        guard request["state"] == .string("waiting") else { return nil }
        return times.text(request["answer_due_by"]) ?? "?"
    }

    private var result: String {
        let answer = request["answer"]?.stringValue ?? "none"
        let by: String
        if request["decided_by"] == .string("hook") {
            by = "by your backend"
        } else if case .integer(let rule)? = request["rule"] {
            by = "by rule \(rule)"
        } else {
            by = "by no rule"
        }
        switch request["state"]?.stringValue {
        case "answered"?: return "\(answer), \(by)"
        case "waiting"? where request["answer"] != .null: return "waiting (\(answer), \(by))"
        case let state?: return state
        case nil: return "?"
        }
    }

    private static func text(of value: JSONValue, named name: String, _ times: LocalTimes) -> String {
        if name.hasSuffix("_at"), let time = times.text(value) { return time }
        switch value {
        case .null: return "not known"
        case .string(let text): return text
        default: return String(decoding: value.serialize(), as: UTF8.self)
        }
    }

    private func text(_ name: String, or other: String = "?") -> String { request.text(name) ?? other }
}
