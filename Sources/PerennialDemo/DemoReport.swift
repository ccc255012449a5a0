import AppStoreModel

/// What `perennial demo --once --json` prints.
struct DemoReport: Sendable {
    /// The store's notifications and what became of them.
    struct Notifications: Sendable {
        /// Made by the store.
        var sent = 0
        /// Of those, held by the server.
        var held = 0
        /// Made by the store and not held by the server.
        var missing = 0
    }

    var accounts = 0
    var subscriptions = 0
    var transactions = 0
    var notifications = Notifications()
    /// How many times an account was compared with the server's answers about it.
    var compared = 0
    /// Points in which the two differed.
    var disagreements = 0
    /// How often each fault of the store struck; empty without `--faults`.
    var faults: [String: Int] = [:]
    /// How many of the accounts may use something, when they were last compared.
    var withAccess = 0
    var seconds = 0.0

    /// Whether the server knows everything that the store knows, and nothing else.
    var isPerfect: Bool { notifications.missing == 0 && disagreements == 0 }

    /// One line of JSON.
    var jsonLine: String {
        let sums: JSONObject = [
            "sent": .integer(Int64(notifications.sent)),
            "held": .integer(Int64(notifications.held)),
            "missing": .integer(Int64(notifications.missing)),
        ]
        var report: JSONObject = [
            "accounts": .integer(Int64(accounts)),
            "subscriptions": .integer(Int64(subscriptions)),
            "transactions": .integer(Int64(transactions)),
            "notifications": .object(sums),
            "compared": .integer(Int64(compared)),
            "disagreements": .integer(Int64(disagreements)),
            "seconds": .decimal("\(seconds)"),
        ]
        if !faults.isEmpty {
            var struck = JSONObject()
            for (fault, count) in faults.sorted(by: { $0.key < $1.key }) { struck[fault] = .integer(Int64(count)) }
            report["faults"] = .object(struck)
        }
        return String(decoding: report.serialize(), as: UTF8.self)
    }

    /// The same for a person.
    var text: String {
        """
        \(accounts) accounts, \(subscriptions) subscriptions, \(transactions) transactions
        notifications: \(notifications.sent) sent, \(notifications.held) held, \(notifications.missing) missing
        accounts compared with the store's ledger \(compared) times: \(disagreements) disagreements
        (a disagreement is a point in which the server's answer differs from what the store knows)
        \(faultsText)\(seconds) seconds
        """
    }

    private var faultsText: String {
        if faults.isEmpty { return "" }
        let struck = faults.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "faults: " + struck.joined(separator: ", ") + "\n"
    }
}
