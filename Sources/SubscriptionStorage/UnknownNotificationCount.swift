public import SubscriptionCore

/// How often a type of notification came that this version does not know. The evidence of each is kept.
public struct UnknownNotificationCount: Hashable, Sendable {
    /// Apple's type.
    public var type: String
    /// Apple's subtype, where it had one.
    public var subtype: String?
    /// How many were taken.
    public var count: Int64
    /// When the last one was taken.
    public var lastReceivedAt: Timestamp

    /// Makes a count.
    public init(type: String, subtype: String?, count: Int64, lastReceivedAt: Timestamp) {
        self.type = type
        self.subtype = subtype
        self.count = count
        self.lastReceivedAt = lastReceivedAt
    }
}
