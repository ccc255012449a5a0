public import SubscriptionCore

/// The number of received notifications of a type that this version does not know, or of version 1.
///
/// The evidence of the former is stored. Version 1 is not signed, so only its number and the last time are.
public struct UnknownNotificationCount: Hashable, Sendable {
    /// Apple's type.
    public var type: String
    /// Apple's subtype, if there is one.
    public var subtype: String?
    /// How many were received.
    public var count: Int64
    /// When the last one was received.
    public var lastReceivedAt: Timestamp

    /// The type under which version 1 notifications are counted, with Apple's type as subtype.
    ///
    /// Apple's types of version 2 are in capital letters without digits.
    public static let versionOne = "V1"

    /// Makes a count.
    public init(type: String, subtype: String?, count: Int64, lastReceivedAt: Timestamp) {
        self.type = type
        self.subtype = subtype
        self.count = count
        self.lastReceivedAt = lastReceivedAt
    }
}
