import SubscriptionCore
import SubscriptionStorage

extension StorageReading {
    /// The customer of an identifier: another one if it is an alias.
    ///
    /// - Throws: ``StorageError``.
    func customerID(for name: CustomerID, app: AppID) throws(StorageError) -> CustomerID {
        try alias(name, of: app)?.customerID ?? name
    }

    /// The customers of those identifiers that are aliases, from one read.
    ///
    /// - Throws: ``StorageError``.
    func customers(for names: Set<CustomerID>, app: AppID) throws(StorageError) -> [CustomerID: CustomerID] {
        guard !names.isEmpty else { return [:] }
        let aliases = try aliases(names, of: app)
        return Dictionary(aliases.map { ($0.id, $0.customerID) }, uniquingKeysWith: { first, _ in first })
    }

    /// The customer with an identifier or alias; nil if there is none.
    ///
    /// Aliases are searched only if no customer has the identifier, so a read of a customer takes one query.
    ///
    /// - Throws: ``StorageError``.
    func customer(named name: CustomerID, of app: AppID) throws(StorageError) -> CustomerRecord? {
        if let customer = try customer(name, of: app) { return customer }
        guard let alias = try alias(name, of: app) else { return nil }
        return try customer(alias.customerID, of: app)
    }
}
