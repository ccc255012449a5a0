public import SubscriptionCore

/// Reads customers and their other identifiers.
public protocol StoredCustomersReading {
    /// A customer.
    func customer(_ id: CustomerID, of app: AppID) throws(StorageError) -> CustomerRecord?

    /// A customer with all that answers are made of, read at once; nil where the customer is not known.
    func holdings(of customer: CustomerID, app: AppID) throws(StorageError) -> CustomerHoldings?

    /// Whom an identifier stands for; nil where it is nobody's alias.
    func alias(_ id: CustomerID, of app: AppID) throws(StorageError) -> AliasRecord?

    /// Whom several identifiers stand for, those that are somebody's aliases; read at once.
    func aliases(_ ids: Set<CustomerID>, of app: AppID) throws(StorageError) -> [AliasRecord]

    /// Customers by identifier after the given one, or from the first on; at most `limit`.
    func customers(of app: AppID, after id: CustomerID?, limit: Int) throws(StorageError) -> [CustomerRecord]
}

/// Changes customers and their other identifiers.
public protocol StoredCustomersWriting: StoredCustomersReading {
    /// Adds or replaces a customer.
    func save(_ customer: CustomerRecord, of app: AppID) throws(StorageError)

    /// Forgets a customer, but nothing that is the customer's.
    func removeCustomer(_ id: CustomerID, of app: AppID) throws(StorageError)

    /// Adds or replaces an alias.
    func save(_ alias: AliasRecord, of app: AppID) throws(StorageError)

    /// Forgets an alias.
    func removeAlias(_ id: CustomerID, of app: AppID) throws(StorageError)
}
