import Foundation

/// What `perennial demo --once --json` prints.
struct DemoReport: Encodable, Sendable {
    /// The store's notifications and what became of them.
    struct Notifications: Encodable, Sendable {
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
    var seconds = 0.0

    /// Whether the server knows everything that the store knows, and nothing else.
    var isPerfect: Bool { notifications.missing == 0 && disagreements == 0 }

    /// One line of JSON.
    func jsonLine() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// The same for a person.
    var text: String {
        """
        \(accounts) accounts, \(subscriptions) subscriptions, \(transactions) transactions
        notifications: \(notifications.sent) sent, \(notifications.held) held, \(notifications.missing) missing
        compared \(compared) times with the store's ledger: \(disagreements) disagreements
        \(seconds) seconds
        """
    }
}
