public import SubscriptionCore

/// A customer.
public struct CustomerRecord: Hashable, Sendable {
    /// The developer's identifier.
    public var id: CustomerID
    /// When the server first heard of the customer.
    public var firstSeenAt: Timestamp
    /// Grows by one with each change of what the customer has.
    public var stateVersion: Int64

    /// Makes a record.
    public init(id: CustomerID, firstSeenAt: Timestamp, stateVersion: Int64) {
        self.id = id
        self.firstSeenAt = firstSeenAt
        self.stateVersion = stateVersion
    }
}
