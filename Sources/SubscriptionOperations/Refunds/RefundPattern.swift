public import SubscriptionCore

/// What the refunds of one customer look like together.
public struct RefundPattern: Hashable, Sendable {
    /// The customer.
    public var customer: CustomerID
    /// The number of purchases that the customer owns.
    public var purchases: Int
    /// The number of charges that the customer paid for.
    public var charges: Int
    /// The refunds.
    public var counts = RefundCounts()
    /// The number of transactions that the customer asked the money back of.
    public var requested = 0
    /// The number of transactions for which the store refused that at least once.
    public var declined = 0
    /// When the first refund that stands was made.
    public var first: Timestamp?
    /// When the last refund that stands was made.
    public var last: Timestamp?

    init(of customer: CustomerID, purchases: Int, charges: Int, refunds: [PurchaseRefunds]) {
        self.customer = customer
        self.purchases = purchases
        self.charges = charges
        for purchase in refunds {
            for refund in purchase.refunds { counts.add(refund) }
            requested += purchase.requests.count { $0.requestedAt != nil }
            declined += purchase.requests.count { $0.declinedAt != nil }
        }
        let times = refunds.flatMap(\.refunds).filter { $0.reversedAt == nil }.map(\.refundedAt)
        first = times.min()
        last = times.max()
    }
}
