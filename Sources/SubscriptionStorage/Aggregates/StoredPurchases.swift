public import SubscriptionCore

/// Reads purchases with their facts and derived state.
public protocol StoredPurchasesReading {
    /// The ledger of a purchase; empty if nothing is known.
    func ledger(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> PurchaseLedger

    /// The ledgers of several purchases; an engine with a server reads all of them at once.
    func ledgers(
        of purchases: [OriginalTransactionID],
        app: AppID
    ) throws(StorageError) -> [OriginalTransactionID: PurchaseLedger]

    /// At most `limit` purchases of an app as they are stored, by identifier, after `id`.
    ///
    /// A row that cannot be read is returned with the parts that can.
    func purchaseRows(
        of app: AppID,
        after id: OriginalTransactionID?,
        limit: Int
    ) throws(StorageError) -> [PurchaseRow]

    /// The owner and state of a purchase.
    func purchase(_ id: OriginalTransactionID, of app: AppID) throws(StorageError) -> PurchaseRecord?

    /// A customer's own and shared purchases, by identifier.
    func purchases(of customer: CustomerID, app: AppID) throws(StorageError) -> [PurchaseRecord]

    /// The purchases with an app transaction identifier, by identifier.
    func purchases(ofAppTransaction id: String, app: AppID) throws(StorageError) -> [PurchaseRecord]

    /// The purchases of a transaction, by identifier. It does not search the first transaction of a purchase, which has
    /// the purchase's own identifier.
    func purchases(with transaction: TransactionID, app: AppID) throws(StorageError) -> [OriginalTransactionID]

    /// At most `limit` entries of the index of transactions after another entry, by transaction and purchase.
    func indexedTransactions(
        of app: AppID,
        after entry: IndexedTransaction?,
        limit: Int
    ) throws(StorageError) -> [IndexedTransaction]

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

    /// Removes the facts of a purchase, so that they can be stored again.
    ///
    /// - Parameters:
    ///   - ledger: The facts to remove; transactions that are not in it stay in the index of transactions.
    ///   - clearsState: Whether the derived state is removed too, because it cannot be read. The owner stays; if its
    ///     basis cannot be read, the basis becomes `transferred`.
    func removeFacts(_ ledger: PurchaseLedger, clearsState: Bool, of app: AppID) throws(StorageError)

    /// Adds an entry to the index of transactions, if it is not there.
    func insert(_ entry: IndexedTransaction, of app: AppID) throws(StorageError)

    /// Removes an entry from the index of transactions.
    func remove(_ entry: IndexedTransaction, of app: AppID) throws(StorageError)

    /// Adds or replaces a purchase's owner and state.
    func save(_ purchase: PurchaseRecord, of app: AppID) throws(StorageError)
}
