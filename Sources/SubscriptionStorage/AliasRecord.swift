public import SubscriptionCore

/// That an identifier stands for a customer who has another: an anonymous one, or one of an older account.
public struct AliasRecord: Hashable, Sendable {
    /// The identifier. It names no customer of its own any more.
    public var id: CustomerID
    /// The customer it stands for, who is nobody's alias.
    public var customerID: CustomerID
    /// When it was said.
    public var createdAt: Timestamp

    /// Makes a record.
    public init(id: CustomerID, customerID: CustomerID, createdAt: Timestamp) {
        self.id = id
        self.customerID = customerID
        self.createdAt = createdAt
    }
}
