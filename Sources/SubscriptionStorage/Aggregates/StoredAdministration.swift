public import SubscriptionCore

/// Reads what the database is for, what its clock has reached, and an app's rules.
public protocol StoredAdministrationReading {
    /// Which products give which entitlement, by identifier.
    func entitlementDefinitions(of app: AppID) throws(StorageError) -> [EntitlementDefinition]

    /// The time by the database server's own clock; nil where the engine has none but this machine's.
    func databaseTime() throws(StorageError) -> Timestamp?

    /// The latest instant at which a server's clock derived states, to the minute; nil where it was never noted.
    func latestDerivation() throws(StorageError) -> Timestamp?

    /// What the database is for; nil where that was not said yet.
    func purpose() throws(StorageError) -> DatabasePurpose?
}

/// Changes what the database is for, and an app's rules.
public protocol StoredAdministrationWriting: StoredAdministrationReading {
    /// Says what the database is for, or replaces what was said.
    func save(_ purpose: DatabasePurpose) throws(StorageError)

    /// Notes an instant at which states are derived; an earlier one than the noted changes nothing.
    func noteDerivation(at instant: Timestamp) throws(StorageError)

    /// Puts the latest derivation back to an earlier instant; changes nothing where another one was noted meanwhile.
    func lowerLatestDerivation(from noted: Timestamp, to instant: Timestamp) throws(StorageError)

    /// Adds or replaces the products of an entitlement.
    func save(_ definition: EntitlementDefinition, of app: AppID) throws(StorageError)
}
