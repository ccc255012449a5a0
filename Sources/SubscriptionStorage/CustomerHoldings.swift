public import SubscriptionCore

/// All stored data for a customer's responses, from one read.
public struct CustomerHoldings: Hashable, Sendable {
    /// The customer.
    public var customer: CustomerRecord
    /// The customer's purchases, by identifier.
    public var purchases: [PurchaseRecord]
    /// The customer's grants, ended ones too, by identifier.
    public var grants: [GrantRecord]
    /// The entitlement definitions of the app, by identifier.
    public var definitions: [EntitlementDefinition]

    /// Makes it from its parts.
    public init(
        customer: CustomerRecord,
        purchases: [PurchaseRecord],
        grants: [GrantRecord],
        definitions: [EntitlementDefinition]
    ) {
        self.customer = customer
        self.purchases = purchases
        self.grants = grants
        self.definitions = definitions
    }
}

extension StorageReading {
    /// Reads the parts one after another.
    public func holdings(of customer: CustomerID, app: AppID) throws(StorageError) -> CustomerHoldings? {
        try holdingsOneByOne(of: customer, app: app)
    }

    /// The default implementation, with one read for each part.
    package func holdingsOneByOne(of customer: CustomerID, app: AppID) throws(StorageError) -> CustomerHoldings? {
        guard let record = try self.customer(customer, of: app) else { return nil }
        return CustomerHoldings(
            customer: record,
            purchases: try purchases(of: customer, app: app),
            grants: try grants(of: customer, app: app),
            definitions: try entitlementDefinitions(of: app)
        )
    }
}

extension SubscriptionDatabase {
    /// Nil, because other processes may write too.
    public var commits: CustomerCommits? { nil }
}
