/// How an account's purchases are approved.
public enum PurchaseBehaviour: String, Hashable, Sendable, CaseIterable, Codable {
    /// Without approval.
    case immediate
    /// A parent must approve.
    case askToBuy = "ask_to_buy"
    /// The customer must act first, for example accept new terms or check the card.
    case interrupted
}

/// A purchase that waits or waited for approval.
public struct PendingPurchase: Hashable, Sendable, Codable {
    /// The state of a purchase that needs approval.
    public enum State: String, Hashable, Sendable, CaseIterable, Codable {
        /// The decision is pending.
        case pending
        /// The purchase was made.
        case completed
        /// The purchase was declined.
        case declined
    }

    /// Its identifier in this store.
    public let pendingPurchaseId: String
    /// The account.
    public let accountId: String
    /// The purchase request.
    public let request: PurchaseRequest
    /// The kind of approval.
    public let behaviour: PurchaseBehaviour
    /// When the customer requested the purchase, milliseconds since 1970.
    public let requestedDate: Int64
    /// The state.
    public internal(set) var state = State.pending
    /// The resulting transaction.
    public internal(set) var transactionId: String?
}

/// The result of a purchase request.
public enum PurchaseAnswer: Hashable, Sendable {
    /// The purchase.
    case completed(PurchaseOutcome)
    /// Nothing yet: approval is pending.
    case pending(PendingPurchase)
}
