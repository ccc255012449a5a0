/// Something that happened to a customer's purchases or entitlements, as it is told to the developer's systems.
///
/// The sum of ``price`` over all events is net revenue: each transaction counts once when it is first known, by what
/// the store states of its price last, and what is returned once, negative. The sum of ``proceeds`` is the developer's
/// share of it.
public struct SubscriptionEvent: Hashable, Sendable, Codable {
    /// What happened.
    public var kind: Kind
    /// When it happened: the instant the facts give, or the clock's.
    public var occurredAt: Timestamp
    /// The purchase it happened to, where it happened to one.
    public var purchaseID: OriginalTransactionID?
    /// The transaction, where the event is about one.
    public var transactionID: TransactionID?
    /// The product, where the event is about one.
    public var productID: ProductID?
    /// What the customer paid (positive) or got back (negative).
    public var price: Money?
    /// What the developer keeps of ``price``, by the share that is configured.
    public var proceeds: Money?
    /// The whole entitlement, for events about one.
    public var entitlement: Entitlement?
    /// What else was said, by name; absent where nothing was.
    public var details: [String: String]?

    /// Makes an event.
    public init(
        kind: Kind,
        occurredAt: Timestamp,
        purchaseID: OriginalTransactionID? = nil,
        productID: ProductID? = nil,
        transactionID: TransactionID? = nil,
        price: Money? = nil,
        proceeds: Money? = nil,
        entitlement: Entitlement? = nil,
        details: [String: String]? = nil
    ) {
        self.kind = kind
        self.occurredAt = occurredAt
        self.purchaseID = purchaseID
        self.productID = productID
        self.transactionID = transactionID
        self.price = price
        self.proceeds = proceeds
        self.entitlement = entitlement
        self.details = details
    }
}
