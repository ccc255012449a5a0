/// How an account's purchases come about.
public enum PurchaseBehaviour: String, Hashable, Sendable, CaseIterable, Codable {
    /// At once.
    case immediate
    /// A parent is asked first.
    case askToBuy = "ask_to_buy"
    /// The customer has to do something first, such as to agree to new terms or to check the card.
    case interrupted
}

/// A purchase that waits for somebody, or waited.
public struct PendingPurchase: Hashable, Sendable, Codable {
    /// How far a purchase is that could not be made at once.
    public enum State: String, Hashable, Sendable, CaseIterable, Codable {
        /// Somebody has to decide.
        case pending
        /// The purchase was made.
        case completed
        /// There will be no purchase.
        case declined
    }

    /// Its identifier in this store.
    public let pendingPurchaseId: String
    /// Who wants to buy.
    public let accountId: String
    /// What is to be bought.
    public let request: PurchaseRequest
    /// Whom it waits for.
    public let behaviour: PurchaseBehaviour
    /// When the customer wanted to buy, milliseconds since 1970.
    public let requestedDate: Int64
    /// How far it is.
    public internal(set) var state = State.pending
    /// The transaction that came of it.
    public internal(set) var transactionId: String?
}

/// What a customer gets who wants to buy.
public enum PurchaseAnswer: Hashable, Sendable {
    /// The purchase.
    case completed(PurchaseOutcome)
    /// Nothing yet.
    case pending(PendingPurchase)
}
