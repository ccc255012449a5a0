public import SubscriptionCore

/// A customer.
public struct CustomerRecord: Hashable, Sendable {
    /// The developer's identifier.
    public var id: CustomerID
    /// When the server first heard of the customer.
    public var firstSeenAt: Timestamp
    /// Grows by one with each change of what the customer has.
    public var stateVersion: Int64
    /// What the developer told about the customer.
    public var profile: CustomerProfile

    /// Makes a record.
    public init(
        id: CustomerID,
        firstSeenAt: Timestamp,
        stateVersion: Int64,
        profile: CustomerProfile = CustomerProfile()
    ) {
        self.id = id
        self.firstSeenAt = firstSeenAt
        self.stateVersion = stateVersion
        self.profile = profile
    }
}
