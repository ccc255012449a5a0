public import SubscriptionCore

/// A grant of a customer with its last recorded state.
public struct GrantRecord: Hashable, Sendable {
    /// The customer.
    public var customerID: CustomerID
    /// The last recorded state.
    public var state: GrantState

    /// Makes a record.
    public init(customerID: CustomerID, state: GrantState) {
        self.customerID = customerID
        self.state = state
    }
}

/// A grant that ends by time.
public struct DueGrant: Hashable, Sendable {
    /// The app.
    public var appID: AppID
    /// The customer.
    public var customerID: CustomerID
    /// The grant.
    public var id: GrantID
    /// When it ends.
    public var dueAt: Timestamp

    /// Makes an entry.
    public init(appID: AppID, customerID: CustomerID, id: GrantID, dueAt: Timestamp) {
        self.appID = appID
        self.customerID = customerID
        self.id = id
        self.dueAt = dueAt
    }
}
