public import SubscriptionCore

/// An event in the app's order of commits.
public struct EventRecord: Hashable, Sendable {
    /// The sequence number in the app's order of commits.
    public var sequence: Int64
    /// The customer; nil if the purchase has no owner.
    public var customerID: CustomerID?
    /// The customer's state version after the change.
    public var stateVersion: Int64?
    /// When it was recorded.
    public var recordedAt: Timestamp
    /// What happened.
    public var event: SubscriptionEvent

    /// Makes a record.
    public init(
        sequence: Int64,
        customerID: CustomerID?,
        stateVersion: Int64?,
        recordedAt: Timestamp,
        event: SubscriptionEvent
    ) {
        self.sequence = sequence
        self.customerID = customerID
        self.stateVersion = stateVersion
        self.recordedAt = recordedAt
        self.event = event
    }
}
