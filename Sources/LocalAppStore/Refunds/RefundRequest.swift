public import AppStoreModel

/// A refund request in the app's refund sheet, and its result.
struct RefundRequest: Hashable, Sendable, Codable {
    /// The state of a request.
    enum Outcome: Hashable, Sendable, Codable {
        /// The decision is pending.
        case open
        /// The refund was granted.
        case granted
        /// The refund was declined.
        case declined
    }

    /// When the customer requested it, milliseconds since 1970.
    let requestedAt: Int64
    /// The customer's reason.
    let reason: ConsumptionRequestReason
    var outcome = Outcome.open
}

/// A refund request as accepted by the store.
public struct RefundRequestReceipt: Hashable, Sendable {
    /// The transaction to refund.
    public let transactionId: String
    /// When the customer requested it, milliseconds since 1970.
    public let requestedDate: Int64
    /// The customer's reason.
    public let consumptionRequestReason: ConsumptionRequestReason
    /// Whether the developer was asked for consumption information: for consumables and auto-renewable subscriptions.
    public let isConsumptionRequested: Bool
}
