public import SubscriptionCore

/// A customer.
public struct CustomerRecord: Hashable, Sendable {
    /// The developer's identifier.
    public var id: CustomerID
    /// When the server first received data about the customer.
    public var firstSeenAt: Timestamp
    /// The version, which is incremented with each change of the customer.
    public var stateVersion: Int64
    /// The developer's data about the customer.
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
