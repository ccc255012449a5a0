public import SubscriptionCore

/// Reads who claimed which purchase, and with whom it is shared.
public protocol StoredOwnershipReading {
    /// Who claimed a purchase, in order of commit.
    func claims(on purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> [ClaimRecord]

    /// With whom a purchase is shared, by identifier.
    func sharers(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> [CustomerID]

    /// A customer's claims, in order of time.
    func claims(by customer: CustomerID, app: AppID) throws(StorageError) -> [ClaimRecord]
}

/// Changes who has which purchase.
public protocol StoredOwnershipWriting: StoredOwnershipReading {
    /// Keeps a claim; the same purchase, customer and evidence a second time changes nothing.
    func insert(_ claim: ClaimRecord, of app: AppID) throws(StorageError)

    /// Keeps a claim behind the others, also where the same is held.
    func append(_ claim: ClaimRecord, of app: AppID) throws(StorageError)

    /// Forgets a customer's claims.
    func removeClaims(by customer: CustomerID, app: AppID) throws(StorageError)

    /// Forgets the claims on a purchase.
    func removeClaims(on purchase: OriginalTransactionID, app: AppID) throws(StorageError)

    /// Lets a customer have a purchase that is another's, too.
    func share(_ purchase: OriginalTransactionID, with customer: CustomerID, app: AppID) throws(StorageError)

    /// Ends that a purchase is shared with a customer.
    func unshare(_ purchase: OriginalTransactionID, with customer: CustomerID, app: AppID) throws(StorageError)
}
