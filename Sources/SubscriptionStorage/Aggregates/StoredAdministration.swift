public import SubscriptionCore

/// Reads the purpose of the database, its clock, and an app's rules.
public protocol StoredAdministrationReading {
    /// The entitlement definitions of an app, by identifier.
    func entitlementDefinitions(of app: AppID) throws(StorageError) -> [EntitlementDefinition]

    /// The time of the database server's clock; nil if the engine uses this machine's clock.
    func databaseTime() throws(StorageError) -> Timestamp?

    /// The latest recorded time at which a server derived states, to the minute; nil if none is recorded.
    func latestDerivation() throws(StorageError) -> Timestamp?

    /// The purpose of the database; nil if it is not set yet.
    func purpose() throws(StorageError) -> DatabasePurpose?
}

/// Changes the purpose of the database and an app's rules.
public protocol StoredAdministrationWriting: StoredAdministrationReading {
    /// Sets or replaces the purpose of the database.
    func save(_ purpose: DatabasePurpose) throws(StorageError)

    /// Records a time at which states are derived; does nothing if a later time is recorded.
    func noteDerivation(at time: Timestamp) throws(StorageError)

    /// Sets the latest derivation back to an earlier time; does nothing if the recorded time is not `noted` any more.
    func lowerLatestDerivation(from noted: Timestamp, to time: Timestamp) throws(StorageError)

    /// Adds or replaces the products of an entitlement.
    func save(_ definition: EntitlementDefinition, of app: AppID) throws(StorageError)
}
