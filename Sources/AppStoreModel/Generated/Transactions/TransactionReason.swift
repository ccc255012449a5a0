// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// What caused a transaction.
///
/// - Source: App Store Server API, `transactionReason`.
public struct TransactionReason: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The customer bought, upgraded or resubscribed.
    public static let purchase = TransactionReason(rawValue: "PURCHASE")
    /// The App Store renewed, including into a downgrade.
    public static let renewal = TransactionReason(rawValue: "RENEWAL")

    /// Every value that Apple documents.
    public static let documented: [TransactionReason] = [.purchase, .renewal]
}
