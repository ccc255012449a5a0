/// A change of a customer's purchases or entitlements, as reported to the developer's systems.
///
/// The sum of ``price`` over all events is net revenue. Each charge counts once, with the price that the store stated
/// last. Each refund counts once, as a negative amount. The sum of ``proceeds`` is the developer's share.
public struct SubscriptionEvent: Hashable, Sendable, Codable {
    /// What happened.
    public var kind: Kind
    /// When it happened: the time in the facts, or the current time.
    public var occurredAt: Timestamp
    /// The purchase it happened to, where it happened to one.
    public var purchaseID: OriginalTransactionID?
    /// The transaction, where the event is about one.
    public var transactionID: TransactionID?
    /// The product, where the event is about one.
    public var productID: ProductID?
    /// What the customer paid (positive) or got back (negative).
    public var price: Money?
    /// The developer's share of ``price``.
    public var proceeds: Money?
    /// The whole entitlement, for events about one.
    public var entitlement: Entitlement?
    /// Further details by name; absent if there are none.
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
