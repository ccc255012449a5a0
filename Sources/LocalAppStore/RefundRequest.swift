public import AppStoreModel

/// What a customer asked for in the app's refund sheet, and what became of it.
struct RefundRequest: Hashable, Sendable, Codable {
    /// What became of a request.
    enum Outcome: Hashable, Sendable, Codable {
        /// Nobody has decided yet.
        case open
        /// The refund was granted.
        case granted
        /// The refund was declined.
        case declined
    }

    /// When the customer asked, milliseconds since 1970.
    let requestedAt: Int64
    /// Why the customer wants the money back.
    let reason: ConsumptionRequestReason
    var outcome = Outcome.open
}

/// A request for a refund as the store took it.
public struct RefundRequestReceipt: Hashable, Sendable {
    /// The transaction that the customer wants to be refunded.
    public let transactionId: String
    /// When the customer asked, milliseconds since 1970.
    public let requestedDate: Int64
    /// Why the customer wants the money back.
    public let consumptionRequestReason: ConsumptionRequestReason
    /// Whether the developer was asked about the consumption: for consumables and auto-renewable subscriptions.
    public let isConsumptionRequested: Bool
}
