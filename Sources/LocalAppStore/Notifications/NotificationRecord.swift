public import AppStoreModel

/// A notification with the history of its deliveries.
public struct NotificationRecord: Hashable, Sendable, Codable {
    /// Its identifier, equal for every attempt.
    public let notificationUUID: String
    /// The event.
    public let notificationType: NotificationType
    /// The subtype of the event, if Apple defines one.
    public let subtype: NotificationSubtype?
    /// The subscription or purchase; absent for a test.
    public let originalTransactionId: String?
    /// The payload's `signedDate`, milliseconds since 1970.
    public let signedDate: Int64
    /// When it was created, milliseconds since 1970; signed dates may be slightly later if content changed within a
    /// millisecond.
    public let createdAt: Int64
    /// Apple's status of the subscription at the time of signing.
    public let status: SubscriptionStatus?
    /// The notification as sent; it never changes.
    public let body: NotificationBody
    /// All delivery attempts, oldest first; at most six.
    public internal(set) var attempts: [SendAttemptItem]

    /// The notification's JWS; empty in version 1, which has none.
    public var signedPayload: String { body.signedPayload }
}

/// A page of notifications, oldest first.
public struct NotificationPage: Hashable, Sendable {
    /// The notifications.
    public let notifications: [NotificationRecord]
    /// The cursor of the next page; absent on the last page.
    public let nextCursor: String?
}

/// An attempt to deliver a notification that is due now.
public struct Delivery: Hashable, Sendable {
    /// The notification to deliver.
    public let notificationUUID: String
    /// The subscription or purchase; absent for a test.
    public let originalTransactionId: String?
    /// The URL.
    public let url: String
    /// The body.
    public let body: NotificationBody
    /// The number of the attempt, from 1.
    public let attempt: Int
    /// The fault of the transfer; `nil` if there is none.
    public let fault: DeliveryFault?

    /// The notification's JWS; empty in version 1, which has none.
    public var signedPayload: String { body.signedPayload }
}
