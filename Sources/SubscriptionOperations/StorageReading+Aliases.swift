import SubscriptionCore
import SubscriptionStorage

extension StorageReading {
    /// The customer that an identifier stands for: another one where it is an alias.
    ///
    /// - Throws: ``StorageError``.
    func customerID(for name: CustomerID, app: AppID) throws(StorageError) -> CustomerID {
        try alias(name, of: app)?.customerID ?? name
    }

    /// The customers that identifiers stand for, where those are others; read at once.
    ///
    /// - Throws: ``StorageError``.
    func customers(for names: Set<CustomerID>, app: AppID) throws(StorageError) -> [CustomerID: CustomerID] {
        guard !names.isEmpty else { return [:] }
        let aliases = try aliases(names, of: app)
        return Dictionary(aliases.map { ($0.id, $0.customerID) }, uniquingKeysWith: { first, _ in first })
    }

    /// The customer who has an identifier, as their own or as an alias; nil where nobody has.
    ///
    /// An alias is looked for only where no customer has the name, so that answers about customers cost one query.
    ///
    /// - Throws: ``StorageError``.
    func customer(named name: CustomerID, of app: AppID) throws(StorageError) -> CustomerRecord? {
        if let customer = try customer(name, of: app) { return customer }
        guard let alias = try alias(name, of: app) else { return nil }
        return try customer(alias.customerID, of: app)
    }
}
