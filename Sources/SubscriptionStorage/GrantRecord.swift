public import SubscriptionCore

/// Whose grant it is, and whether it gave access when it was last looked at.
public struct GrantRecord: Hashable, Sendable {
    /// The customer.
    public var customerID: CustomerID
    /// The grant as it was last recorded.
    public var state: GrantState

    /// Makes a record.
    public init(customerID: CustomerID, state: GrantState) {
        self.customerID = customerID
        self.state = state
    }
}

/// A grant that the clock ends.
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
