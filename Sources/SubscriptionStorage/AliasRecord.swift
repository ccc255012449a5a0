public import SubscriptionCore

/// An alias of a customer, such as an anonymous identifier or that of an older account.
public struct AliasRecord: Hashable, Sendable {
    /// The alias. There is no customer with this identifier.
    public var id: CustomerID
    /// The customer, who is not an alias.
    public var customerID: CustomerID
    /// When it was added.
    public var createdAt: Timestamp

    /// Makes a record.
    public init(id: CustomerID, customerID: CustomerID, createdAt: Timestamp) {
        self.id = id
        self.customerID = customerID
        self.createdAt = createdAt
    }
}
