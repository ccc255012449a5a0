public import SubscriptionCore

/// Reads claims and sharers of purchases.
public protocol StoredOwnershipReading {
    /// The claims on a purchase, in order of commit.
    func claims(on purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> [ClaimRecord]

    /// The sharers of a purchase, by identifier.
    func sharers(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> [CustomerID]

    /// A customer's claims, in order of time.
    func claims(by customer: CustomerID, app: AppID) throws(StorageError) -> [ClaimRecord]
}

/// Changes claims and sharers of purchases.
public protocol StoredOwnershipWriting: StoredOwnershipReading {
    /// Stores a claim; does nothing if there is one with the same purchase, customer and evidence.
    func insert(_ claim: ClaimRecord, of app: AppID) throws(StorageError)

    /// Stores a claim after the others, even if the same one is already stored.
    func append(_ claim: ClaimRecord, of app: AppID) throws(StorageError)

    /// Removes a customer's claims.
    func removeClaims(by customer: CustomerID, app: AppID) throws(StorageError)

    /// Removes the claims on a purchase.
    func removeClaims(on purchase: OriginalTransactionID, app: AppID) throws(StorageError)

    /// Shares a purchase with a customer.
    func share(_ purchase: OriginalTransactionID, with customer: CustomerID, app: AppID) throws(StorageError)

    /// Stops sharing a purchase with a customer.
    func unshare(_ purchase: OriginalTransactionID, with customer: CustomerID, app: AppID) throws(StorageError)
}
