public import SubscriptionCore

/// Everything that a customer's answers are made of, of one instant.
public struct CustomerHoldings: Hashable, Sendable {
    /// The customer.
    public var customer: CustomerRecord
    /// The customer's purchases, by identifier.
    public var purchases: [PurchaseRecord]
    /// The customer's grants, ended ones too, by identifier.
    public var grants: [GrantRecord]
    /// Which products give which entitlement, by identifier.
    public var definitions: [EntitlementDefinition]

    /// Gathers what was read.
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
    /// Reads one after another.
    public func holdings(of customer: CustomerID, app: AppID) throws(StorageError) -> CustomerHoldings? {
        try holdingsOneByOne(of: customer, app: app)
    }

    /// What an engine without a better way does.
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
    /// Nothing is counted: others may write too.
    public var commits: CustomerCommits? { nil }
}
