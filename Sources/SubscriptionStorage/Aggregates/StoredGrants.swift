public import SubscriptionCore

/// Reads what operators gave.
public protocol StoredGrantsReading {
    /// Grants of all apps that were recorded as ended, though nobody took them back and they end after an instant,
    /// earliest end first, at most `limit`. It looks at every grant.
    func grants(endedBefore instant: Timestamp, limit: Int) throws(StorageError) -> [DueGrant]

    /// A customer's grants, ended ones too, by identifier.
    func grants(of customer: CustomerID, app: AppID) throws(StorageError) -> [GrantRecord]

    /// Grants of all apps that end at or before an instant and were active when last recorded, earliest first, at most
    /// `limit`.
    func dueGrants(until instant: Timestamp, limit: Int) throws(StorageError) -> [DueGrant]
}

/// Changes what operators gave.
public protocol StoredGrantsWriting: StoredGrantsReading {
    /// Adds or replaces a grant.
    func save(_ grant: GrantRecord, of app: AppID) throws(StorageError)

    /// Forgets a customer's grants.
    func removeGrants(of customer: CustomerID, app: AppID) throws(StorageError)
}
