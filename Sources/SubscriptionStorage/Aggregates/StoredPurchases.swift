public import SubscriptionCore

/// Reads purchases: the facts about them, and the state derived from those.
public protocol StoredPurchasesReading {
    /// Everything known of a purchase; an empty ledger where nothing is.
    func ledger(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> PurchaseLedger

    /// Whose purchase it is, and its state.
    func purchase(_ id: OriginalTransactionID, of app: AppID) throws(StorageError) -> PurchaseRecord?

    /// A customer's purchases, and those that are shared with the customer, by identifier.
    func purchases(of customer: CustomerID, app: AppID) throws(StorageError) -> [PurchaseRecord]

    /// The purchases that an account of the store made in an app, by identifier.
    func purchases(ofAppTransaction id: String, app: AppID) throws(StorageError) -> [PurchaseRecord]

    /// The purchases that a transaction belongs to, where it is not the first of a purchase, by identifier. The first
    /// has its purchase's identifier.
    func purchases(with transaction: TransactionID, app: AppID) throws(StorageError) -> [OriginalTransactionID]

    /// Purchases of all apps whose state changes at or before an instant, earliest first, at most `limit`.
    func duePurchases(until instant: Timestamp, limit: Int) throws(StorageError) -> [DuePurchase]

    /// Purchases of an app whose state was derived at an instant later than the given one, by identifier after the
    /// given one, at most `limit`. It looks at every purchase of the app.
    func purchases(
        derivedAfter instant: Timestamp,
        of app: AppID,
        after id: OriginalTransactionID?,
        limit: Int
    ) throws(StorageError) -> [OriginalTransactionID]
}

/// Changes purchases.
public protocol StoredPurchasesWriting: StoredPurchasesReading {
    /// Stores a fact in place of what was held about the same thing. The caller has joined it: see ``PurchaseLedger``.
    func save(_ fact: Fact, of app: AppID) throws(StorageError)

    /// Adds or replaces a purchase's owner and state.
    func save(_ purchase: PurchaseRecord, of app: AppID) throws(StorageError)
}
