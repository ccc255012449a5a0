public import SubscriptionCore

/// Reads customers and aliases.
public protocol StoredCustomersReading {
    /// A customer.
    func customer(_ id: CustomerID, of app: AppID) throws(StorageError) -> CustomerRecord?

    /// A customer with all data for responses, from one read; nil if the customer is unknown.
    func holdings(of customer: CustomerID, app: AppID) throws(StorageError) -> CustomerHoldings?

    /// The alias with an identifier; nil if it is not an alias.
    func alias(_ id: CustomerID, of app: AppID) throws(StorageError) -> AliasRecord?

    /// The aliases among several identifiers, from one read.
    func aliases(_ ids: Set<CustomerID>, of app: AppID) throws(StorageError) -> [AliasRecord]

    /// At most `limit` customers by identifier, after the given one if there is one.
    func customers(of app: AppID, after id: CustomerID?, limit: Int) throws(StorageError) -> [CustomerRecord]
}

/// Changes customers and aliases.
public protocol StoredCustomersWriting: StoredCustomersReading {
    /// Adds or replaces a customer.
    func save(_ customer: CustomerRecord, of app: AppID) throws(StorageError)

    /// Removes the record of a customer, but not the customer's other data.
    func removeCustomer(_ id: CustomerID, of app: AppID) throws(StorageError)

    /// Adds or replaces an alias.
    func save(_ alias: AliasRecord, of app: AppID) throws(StorageError)

    /// Removes an alias.
    func removeAlias(_ id: CustomerID, of app: AppID) throws(StorageError)
}
