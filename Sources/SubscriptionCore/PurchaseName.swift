/// The store's own name for a purchase in its notification.
///
/// A transaction alone is ambiguous. Without its predecessor, an upgrade looks like a purchase after a lapse. Without
/// the failed charge, a recovery looks like a renewal.
public struct PurchaseName: Hashable, Sendable {
    /// The transaction.
    public var transactionID: TransactionID
    /// The event that reports it.
    public var kind: SubscriptionEvent.Kind

    /// Names a purchase.
    public init(transactionID: TransactionID, kind: SubscriptionEvent.Kind) {
        self.transactionID = transactionID
        self.kind = kind
    }
}
