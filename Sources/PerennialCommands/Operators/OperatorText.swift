import AppStoreModel
import PerennialCommandSupport
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// Operators as text and JSON.
enum OperatorText {
    typealias View = OperatorAdministration.View

    /// Prints what a person needs once.
    static func print(_ enrolment: OperatorAdministration.Enrolment) {
        StandardOutput.printLine(enrolment.address)
        StandardOutput.printLine(enrolment.secret)
        StandardError.printLine(
            "Give the person the address as a QR code, or the secret. It is shown only once."
        )
    }

    /// A header and a line for each person.
    static func table(_ views: [View], at now: Timestamp) -> [String] {
        TextTable.lines(
            [["NAME", "ROLE", "SIGNS IN", "KEYS", "LAST SIGN-IN", "STATE", "APPS"]]
                + views.map { view in
                    let account = view.account
                    return [
                        TerminalText.escapedLine(account.name), account.role.rawValue,
                        account.password == nil ? "no" : "yes", "\(view.keys.count { $0.kind == .key })",
                        time(account.signedInAt), state(of: account, at: now), apps(of: account),
                    ]
                }
        )
    }

    /// A person, and a table of keys and sessions.
    static func lines(_ view: View, at now: Timestamp) -> [String] {
        let account = view.account
        let head = TextTable.lines([
            ["name", TerminalText.escapedLine(account.name)], ["id", account.id.rawValue],
            ["role", account.role.rawValue], ["apps", apps(of: account)],
            ["signs in", account.password == nil ? "no" : "yes"], ["last sign-in", time(account.signedInAt)],
            ["state", state(of: account, at: now)], ["added", time(account.createdAt)],
        ])
        return head + (view.keys.isEmpty ? [] : [""] + table(ofKeys: view.keys))
    }

    /// A header and a line for each key or session.
    static func table(ofKeys keys: [OperatorKey]) -> [String] {
        TextTable.lines(
            [["KEY", "ID", "KIND", "CREATED", "EXPIRES", "LABEL"]]
                + keys.map { key in
                    [
                        key.shownText, key.publicID, key.kind.rawValue, time(key.createdAt),
                        key.expiresAt.map { time($0) } ?? "never", key.label.map(TerminalText.escapedLine) ?? "-",
                    ]
                }
        )
    }

    /// A person as one line of JSON, without secrets.
    static func json(_ view: View) -> String {
        let account = view.account
        var object = JSONObject()
        object["object"] = .string("operator")
        object["id"] = .string(account.id.rawValue)
        object["name"] = .string(account.name)
        object["role"] = .string(account.role.rawValue)
        object["apps"] = account.apps.map { .array($0.map { .string($0.rawValue) }) } ?? .null
        object["signs_in"] = .bool(account.password != nil)
        object["created_at"] = json(account.createdAt)
        object["signed_in_at"] = json(account.signedInAt)
        object["locked_until"] = json(account.lockedUntil)
        object["disabled_at"] = json(account.disabledAt)
        object["keys"] = .array(view.keys.map { .object(json($0)) })
        return String(decoding: JSONValue.object(object).serialize(), as: UTF8.self)
    }

    private static func json(_ key: OperatorKey) -> JSONObject {
        var object = JSONObject()
        object["id"] = .string(key.publicID)
        object["key"] = .string(key.shownText)
        object["kind"] = .string(key.kind.rawValue)
        object["label"] = key.label.map { .string($0) } ?? .null
        object["created_at"] = json(key.createdAt)
        object["expires_at"] = json(key.expiresAt)
        return object
    }

    private static func json(_ time: Timestamp?) -> JSONValue { time.map { .integer($0.milliseconds) } ?? .null }

    private static func time(_ time: Timestamp?) -> String {
        time.flatMap { UTCTime.text(milliseconds: $0.milliseconds) } ?? "-"
    }

    private static func apps(of account: OperatorAccount) -> String {
        account.apps?.map { TerminalText.escapedLine($0.rawValue) }.joined(separator: ", ") ?? "all"
    }

    private static func state(of account: OperatorAccount, at now: Timestamp) -> String {
        if account.disabledAt != nil { return "disabled" }
        if let end = account.lockedUntil, end > now { return "locked until \(time(end))" }
        return "active"
    }
}
