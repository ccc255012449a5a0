public import SubscriptionCore

/// A part of an app's refunds, newest first.
public struct RefundSelection: Hashable, Sendable {
    /// The product; nil for all.
    public var productID: ProductID?
    /// The time from which on money was returned; nil for the beginning.
    public var from: Timestamp?
    /// The time before which money was returned; nil for the end.
    public var to: Timestamp?
    /// The last refund of the previous page; nil for the first page.
    public var last: Position?

    /// The position of a refund in the order of a list.
    public struct Position: Hashable, Sendable {
        /// When the money was returned.
        public var refundedAt: Timestamp
        /// The transaction.
        public var transactionID: TransactionID
        /// The purchase.
        public var purchaseID: OriginalTransactionID

        /// Makes a position.
        public init(refundedAt: Timestamp, transactionID: TransactionID, purchaseID: OriginalTransactionID) {
            self.refundedAt = refundedAt
            self.transactionID = transactionID
            self.purchaseID = purchaseID
        }

        /// The position of a refund.
        public init(_ refund: Refund) {
            self.init(
                refundedAt: refund.refundedAt,
                transactionID: refund.transactionID,
                purchaseID: refund.purchaseID
            )
        }
    }

    /// Selects refunds; all by default.
    public init(
        productID: ProductID? = nil,
        from: Timestamp? = nil,
        to: Timestamp? = nil,
        after last: Position? = nil
    ) {
        self.productID = productID
        self.from = from
        self.to = to
        self.last = last
    }

    /// Whether a refund is in it.
    public func contains(_ refund: Refund) -> Bool {
        if let productID, refund.productID != productID { return false }
        if let from, refund.refundedAt < from { return false }
        if let to, refund.refundedAt >= to { return false }
        return last.map { Position(refund) < $0 } ?? true
    }

    /// The values after which the list begins, in descending order.
    var after: [ColumnValue] {
        if let last, to.map({ last.refundedAt < $0 }) ?? true {
            return [.time(last.refundedAt), .text(last.transactionID), .text(last.purchaseID)]
        }
        return to.map { [.time($0)] } ?? []
    }
}

extension RefundSelection.Position: Comparable {
    /// Orders by time, then by transaction and purchase.
    public static func < (left: Self, right: Self) -> Bool {
        (left.refundedAt, left.transactionID, left.purchaseID)
            < (right.refundedAt, right.transactionID, right.purchaseID)
    }
}
