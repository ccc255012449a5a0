public import SubscriptionCore

/// Reads purchases with their facts and derived state.
public protocol StoredPurchasesReading {
    /// The ledger of a purchase; empty if nothing is known.
    func ledger(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> PurchaseLedger

    /// The owner and state of a purchase.
    func purchase(_ id: OriginalTransactionID, of app: AppID) throws(StorageError) -> PurchaseRecord?

    /// A customer's own and shared purchases, by identifier.
    func purchases(of customer: CustomerID, app: AppID) throws(StorageError) -> [PurchaseRecord]

    /// The purchases with an app transaction identifier, by identifier.
    func purchases(ofAppTransaction id: String, app: AppID) throws(StorageError) -> [PurchaseRecord]

    /// The purchases of a transaction, by identifier. It does not search the first transaction of a purchase, which has
    /// the purchase's own identifier.
    func purchases(with transaction: TransactionID, app: AppID) throws(StorageError) -> [OriginalTransactionID]

    /// At most `limit` purchases of all apps whose state changes at or before a time, earliest first.
    func duePurchases(until time: Timestamp, limit: Int) throws(StorageError) -> [DuePurchase]

    /// At most `limit` purchases of an app whose state was derived after a time, by identifier, after `id`. It scans
    /// all purchases of the app.
    func purchases(
        derivedAfter time: Timestamp,
        of app: AppID,
        after id: OriginalTransactionID?,
        limit: Int
    ) throws(StorageError) -> [OriginalTransactionID]
}

/// Changes purchases.
public protocol StoredPurchasesWriting: StoredPurchasesReading {
    /// Stores a fact and replaces the previous one about the same thing. The caller has joined it: see
    /// ``PurchaseLedger``.
    func save(_ fact: Fact, of app: AppID) throws(StorageError)

    /// Adds or replaces a purchase's owner and state.
    func save(_ purchase: PurchaseRecord, of app: AppID) throws(StorageError)
}
