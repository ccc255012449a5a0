public import SubscriptionCore

/// An entry of the index that finds a purchase by a transaction that is not its first.
public struct IndexedTransaction: Hashable, Sendable {
    /// The transaction.
    public var id: TransactionID
    /// Its purchase.
    public var purchaseID: OriginalTransactionID

    /// Makes an entry.
    public init(id: TransactionID, purchaseID: OriginalTransactionID) {
        self.id = id
        self.purchaseID = purchaseID
    }
}

extension IndexedTransaction {
    /// Reads a row of transaction and purchase.
    package init(row: some ColumnReading) throws(StorageError) {
        self.init(id: try row.identifier(0), purchaseID: try row.identifier(1))
    }
}

extension PurchaseLedger {
    /// The entries that the index must have for the purchase. The first transaction has the identifier of the purchase
    /// and no entry.
    package var indexedTransactions: [IndexedTransaction] {
        timeline.compactMap { fact in
            guard fact.id.rawValue != originalID.rawValue else { return nil }
            return IndexedTransaction(id: fact.id, purchaseID: originalID)
        }
    }
}
