/// What caused a transaction.
///
/// - Source: App Store Server API, `transactionReason`.
public struct TransactionReason: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Takes a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The customer bought, upgraded or came back.
    public static let purchase = TransactionReason(rawValue: "PURCHASE")
    /// The App Store renewed, also into a downgrade.
    public static let renewal = TransactionReason(rawValue: "RENEWAL")

    /// Every value that Apple documents.
    public static let documented: [TransactionReason] = [.purchase, .renewal]
}
