import AppStoreModel
import PerennialCommandSupport

/// Webhook endpoints and deliveries of the server, as text.
enum WebhookText {
    /// Prints lines, or the object as the server returned it.
    static func print(_ object: JSONObject, asJSON: Bool, _ lines: (JSONObject) -> [String]) {
        guard !asJSON else {
            StandardOutput.printLine(String(decoding: object.serialize(), as: UTF8.self))
            return
        }
        for line in lines(object) { StandardOutput.printLine(TerminalText.escapedLine(line)) }
    }

    /// An endpoint on one line.
    static func line(ofEndpoint endpoint: JSONObject) -> String {
        "\(text(endpoint, "id"))  \(state(of: endpoint))  \(text(endpoint, "form"))  \(address(of: endpoint))"
    }

    /// An endpoint with its health, and its new secrets.
    static func lines(ofEndpoint endpoint: JSONObject, _ times: LocalTimes) -> [String] {
        var lines = [
            "\(text(endpoint, "id")): \(address(of: endpoint))",
            "  state: \(state(of: endpoint))",
            "  form: \(text(endpoint, "form")), types: \(types(of: endpoint))",
            "  last delivered: \(times.text(endpoint["last_delivered_at"]) ?? "never")",
            "  waiting or held back: \(number(endpoint, "open_deliveries"))",
        ]
        if let label = endpoint["label"]?.stringValue { lines.append("  label: \(label)") }
        if let since = times.text(endpoint["failing_since"]) {
            lines.append("  failing since \(since): \(number(endpoint, "failures")) failures in a row")
        }
        if let probe = times.text(endpoint["next_probe_at"]) {
            lines.append("  it is only probed now, next at \(probe); everything else waits")
        }
        if endpoint["enabled"] == .bool(false) {
            lines.append("  to go on where it stopped: perennial webhooks change \(text(endpoint, "id")) --enable")
        }
        for case .object(let secret) in endpoint["secrets"]?.arrayValue ?? [] {
            lines.append("  \(line(ofSecret: secret, times))")
        }
        return lines
    }

    /// A key below `admin` sees only the origin.
    private static func address(of endpoint: JSONObject) -> String {
        text(endpoint, "url") + (endpoint["url_hidden"] == .bool(true) ? "/… (hidden)" : "")
    }

    private static func line(ofSecret secret: JSONObject, _ times: LocalTimes) -> String {
        let end = times.text(secret["expires_at"]).map { ", until \($0)" } ?? ""
        if let text = secret["secret"]?.stringValue { return "secret, shown only now: \(text)\(end)" }
        if let key = secret["public_key"]?.stringValue { return "public key: \(key)\(end)" }
        return "secret \(text(secret, "id"))\(end)"
    }

    /// A delivery on one line.
    static func line(ofDelivery delivery: JSONObject, _ times: LocalTimes) -> String {
        let attempt = delivery["last_attempt"]?.objectValue.map { "; \(result(of: $0))" } ?? ""
        let due = times.text(delivery["due_at"]).map { ", next at \($0)" } ?? ""
        let attempts = "\(number(delivery, "attempt_count")) attempts"
        let customer = delivery["app_user_id"]?.stringValue ?? "no customer"
        return "\(text(delivery, "id"))  \(text(delivery, "type"))  \(customer)  "
            + "\(text(delivery, "state")) (\(attempts)\(due))\(attempt)"
    }

    /// The result of an attempt.
    static func result(of attempt: JSONObject) -> String {
        let duration = "\(number(attempt, "duration_ms")) ms"
        if case .integer(let status)? = attempt["status"] {
            let answer = attempt["answer"]?.stringValue.map { $0.isEmpty ? "" : ": \($0.prefix(200))" } ?? ""
            return "answered \(status) after \(duration)\(answer)"
        }
        return "\(text(attempt, "error")) after \(duration): \(text(attempt, "message"))"
    }

    private static func state(of endpoint: JSONObject) -> String {
        guard endpoint["enabled"] == .bool(false) else {
            return endpoint["next_probe_at"] == .null ? "enabled" : "failing"
        }
        switch endpoint["disabled_reason"]?.stringValue {
        case "failing": return "disabled, because it took nothing for 120 hours"
        case "gone": return "disabled, because it answered 410"
        case "secret_missing": return "disabled, because it has no secret"
        default: return "disabled by an operator"
        }
    }

    private static func types(of endpoint: JSONObject) -> String {
        endpoint.texts("event_types").joined(separator: ", ")
    }

    private static func text(_ object: JSONObject, _ name: String) -> String { object.text(name) ?? "?" }

    private static func number(_ object: JSONObject, _ name: String) -> String {
        object[name]?.integerValue.map { "\($0)" } ?? "?"
    }
}
