public import SubscriptionCore

/// That an operator moved purchases from one customer to another: kept for good, and enough to move them back.
public struct TransferRecord: Hashable, Sendable {
    /// A purchase that was moved.
    public struct Item: Hashable, Sendable, Codable {
        /// The purchase.
        public var purchaseID: OriginalTransactionID
        /// How the customer had come to it before.
        public var claim: OwnershipClaim?

        /// Makes an item.
        public init(purchaseID: OriginalTransactionID, claim: OwnershipClaim?) {
            self.purchaseID = purchaseID
            self.claim = claim
        }
    }

    /// The transfer.
    public var id: TransferID
    /// Whose the purchases were; nil where they were nobody's, or that customer was erased.
    public var from: CustomerID?
    /// Whose they became; nil where that customer was erased.
    public var to: CustomerID?
    /// Why, in the operator's words.
    public var reason: String?
    /// What was moved, by identifier.
    public var items: [Item]
    /// When it was done.
    public var createdAt: Timestamp
    /// When it was undone.
    public var undoneAt: Timestamp?

    /// Makes a record.
    public init(
        id: TransferID,
        from: CustomerID?,
        to: CustomerID?,
        reason: String?,
        items: [Item],
        createdAt: Timestamp,
        undoneAt: Timestamp? = nil
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.reason = reason
        self.items = items
        self.createdAt = createdAt
        self.undoneAt = undoneAt
    }
}

/// One move of purchases between customers.
public struct TransferID: TextIdentifier {
    /// `tr_` and hexadecimal digits.
    public let rawValue: String
    /// Wraps the text.
    public init(rawValue: String) { self.rawValue = rawValue }
}
