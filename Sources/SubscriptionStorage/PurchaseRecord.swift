public import SubscriptionCore

/// The owner and the last derived state of a purchase.
public struct PurchaseRecord: Hashable, Sendable {
    /// The purchase.
    public var id: OriginalTransactionID
    /// The owner; nil if there is none.
    public var customerID: CustomerID?
    /// Why the owner has it; nil if there is no claim.
    public var claim: OwnershipBasis?
    /// The derived state; nil if no transaction is known.
    public var state: PurchaseState?
    /// When the state was derived.
    public var evaluatedAt: Timestamp
    /// The app transaction identifier; nil if no transaction has one.
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
