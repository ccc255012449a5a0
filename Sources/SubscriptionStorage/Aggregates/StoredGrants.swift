public import SubscriptionCore

/// Reads grants.
public protocol StoredGrantsReading {
    /// At most `limit` grants of all apps that are recorded as ended but are not revoked and end after a time, earliest
    /// end first. It scans all grants.
    func grants(endedBefore time: Timestamp, limit: Int) throws(StorageError) -> [DueGrant]

    /// A customer's grants, ended ones too, by identifier.
    func grants(of customer: CustomerID, app: AppID) throws(StorageError) -> [GrantRecord]

    /// At most `limit` grants of all apps that are recorded as active and end at or before a time, earliest first.
    func dueGrants(until time: Timestamp, limit: Int) throws(StorageError) -> [DueGrant]
}

/// Changes grants.
public protocol StoredGrantsWriting: StoredGrantsReading {
    /// Adds or replaces a grant.
    func save(_ grant: GrantRecord, of app: AppID) throws(StorageError)

    /// Removes a customer's grants.
    func removeGrants(of customer: CustomerID, app: AppID) throws(StorageError)
}
