public import SubscriptionCore

/// Whose purchase it is, and where it stood when it was last looked at.
public struct PurchaseRecord: Hashable, Sendable {
    /// The purchase.
    public var id: OriginalTransactionID
    /// The customer; nil while nobody claimed it.
    public var customerID: CustomerID?
    /// How the customer came to it; nil while nobody claimed it.
    public var claim: OwnershipBasis?
    /// The derived state; nil while no transaction is known.
    public var state: PurchaseState?
    /// The instant at which the state was derived.
    public var evaluatedAt: Timestamp
    /// The store's identifier of its account in this app; nil while no transaction names it.
    public var appTransactionID: String?

    /// Makes a record.
    public init(
        id: OriginalTransactionID,
        customerID: CustomerID? = nil,
        claim: OwnershipBasis? = nil,
        state: PurchaseState? = nil,
        evaluatedAt: Timestamp,
        appTransactionID: String? = nil
    ) {
        self.id = id
        self.customerID = customerID
        self.claim = claim
        self.state = state
        self.evaluatedAt = evaluatedAt
        self.appTransactionID = appTransactionID
    }
}
