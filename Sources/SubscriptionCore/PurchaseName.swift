/// What the store calls a purchase when it tells of it.
///
/// A transaction alone does not always say: an upgrade whose predecessor is not known looks like a purchase after a
/// lapse, and a recovery whose failed charge is not known like any renewal.
public struct PurchaseName: Hashable, Sendable {
    /// The transaction.
    public var transactionID: TransactionID
    /// The event that tells of it.
    public var kind: SubscriptionEvent.Kind

    /// Names a purchase.
    public init(transactionID: TransactionID, kind: SubscriptionEvent.Kind) {
        self.transactionID = transactionID
        self.kind = kind
    }
}
