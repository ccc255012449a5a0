public import AppStoreModel

/// A notification with everything that happened to it.
public struct NotificationRecord: Hashable, Sendable, Codable {
    /// Its identity, the same over every attempt.
    public let notificationUUID: String
    /// What happened.
    public let notificationType: NotificationType
    /// More about what happened, where Apple tells more.
    public let subtype: NotificationSubtype?
    /// The subscription or purchase concerned; absent for a test.
    public let originalTransactionId: String?
    /// The payload's `signedDate`, milliseconds since 1970.
    public let signedDate: Int64
    /// When it was made, milliseconds since 1970; signed dates run a little ahead where content follows content.
    public let createdAt: Int64
    /// Apple's status of the subscription when the notification was signed.
    public let status: SubscriptionStatus?
    /// The notification as it is sent, and never changed.
    public let body: NotificationBody
    /// Every attempt to deliver it, oldest first; at most six.
    public internal(set) var attempts: [SendAttemptItem]

    /// The notification's JWS; empty in version 1, which has none.
    public var signedPayload: String { body.signedPayload }
}

/// A page of notifications, oldest first.
public struct NotificationPage: Hashable, Sendable {
    /// The notifications.
    public let notifications: [NotificationRecord]
    /// Where the next page begins; absent when there is none.
    public let nextCursor: String?
}

/// An attempt to deliver a notification that is due now.
public struct Delivery: Hashable, Sendable {
    /// The notification to deliver.
    public let notificationUUID: String
    /// The subscription or purchase concerned; absent for a test.
    public let originalTransactionId: String?
    /// Where to.
    public let url: String
    /// What to send.
    public let body: NotificationBody
    /// Which attempt it is, from 1.
    public let attempt: Int
    /// What goes wrong with it on the way; `nil` when nothing does.
    public let fault: DeliveryFault?

    /// The notification's JWS; empty in version 1, which has none.
    public var signedPayload: String { body.signedPayload }
}
