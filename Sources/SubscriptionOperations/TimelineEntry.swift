public import SubscriptionCore

/// An entry of a customer's timeline, with the stored input behind it.
public struct TimelineEntry: Hashable, Sendable {
    /// What happened: an event's type, or `purchase.claimed`, `purchase.claim_refused`, `purchase.other_claim_refused`,
    /// `purchase.shared`, `purchase.lost`, `transfer.given`, `transfer.received`, `grant.given`, `grant.ended`.
    public var type: String
    /// When it happened.
    public var at: Timestamp
    /// The purchase.
    public var purchaseID: OriginalTransactionID?
    /// The transaction.
    public var transactionID: TransactionID?
    /// The product.
    public var productID: ProductID?
    /// The grant.
    public var grantID: GrantID?
    /// What the customer paid, or got back.
    public var price: Money?
    /// Further details, by name.
    public var details: [String: String]?
    /// The stored input; nil for changes by time or by an operator.
    public var evidenceID: EvidenceID?

    /// Makes an entry of an event.
    init(_ event: SubscriptionEvent, evidenceID: EvidenceID?) {
        type = event.kind.rawValue
        at = event.occurredAt
        purchaseID = event.purchaseID
        transactionID = event.transactionID
        productID = event.productID
        price = event.price
        details = event.details
        self.evidenceID = evidenceID
    }

    /// Makes an entry of something else.
    init(
        _ type: String,
        at: Timestamp,
        purchaseID: OriginalTransactionID? = nil,
        grantID: GrantID? = nil,
        details: [String: String]? = nil,
        evidenceID: EvidenceID? = nil
    ) {
        self.type = type
        self.at = at
        self.purchaseID = purchaseID
        self.grantID = grantID
        self.details = details
        self.evidenceID = evidenceID
    }
}
