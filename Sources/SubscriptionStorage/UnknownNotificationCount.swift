public import SubscriptionCore

/// The number of received notifications of a type that this version does not know. The evidence of each is stored.
public struct UnknownNotificationCount: Hashable, Sendable {
    /// Apple's type.
    public var type: String
    /// Apple's subtype, if there is one.
    public var subtype: String?
    /// How many were received.
    public var count: Int64
    /// When the last one was received.
    public var lastReceivedAt: Timestamp

    /// Makes a count.
    public init(type: String, subtype: String?, count: Int64, lastReceivedAt: Timestamp) {
        self.type = type
        self.subtype = subtype
        self.count = count
        self.lastReceivedAt = lastReceivedAt
    }
}
