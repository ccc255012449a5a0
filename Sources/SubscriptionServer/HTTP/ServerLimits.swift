/// The limits of a server. Requests above a limit are refused with 503 and `Retry-After`.
public struct ServerLimits: Hashable, Sendable {
    /// The maximum number of concurrent requests, including waiting ones but not Apple's. A request counts once its
    /// body is complete.
    public var requestsMax: Int
    /// The maximum number of received body bytes of unanswered requests, except Apple's.
    public var bodyBytesInProgressMax: Int
    /// The maximum number of concurrent requests of Apple.
    public var notificationsMax: Int
    /// The maximum number of received body bytes of Apple's unanswered requests.
    public var notificationBytesInProgressMax: Int
    /// The maximum number of body bytes of one request of Apple; a version 2 notification has about 20,000.
    public var notificationBytesMax: Int
    /// The maximum number of open connections; further ones wait to be accepted.
    public var connectionsMax: Int
    /// The maximum number of open connections from one address, unless it is unknown or loopback; further ones are
    /// closed at once. 0 for no limit.
    public var connectionsPerAddressMax: Int
    /// The time limit for a body after its head.
    ///
    /// - Units: milliseconds.
    public var bodyMillisecondsMax: Int
    /// The minimum rate of a body, checked every five seconds.
    ///
    /// - Units: bytes per second.
    public var bodyBytesPerSecondMin: Int
    /// How long a connection may be idle before a complete head or between parts of a body.
    ///
    /// - Units: milliseconds.
    public var idleMillisecondsMax: Int

    /// Makes limits; the defaults suit a machine with a gigabyte of memory. Values that would refuse every request
    /// count as 1.
    public init(
        requestsMax: Int = 1_024,
        bodyBytesInProgressMax: Int = 64 << 20,
        notificationsMax: Int = 1_024,
        notificationBytesInProgressMax: Int = 32 << 20,
        notificationBytesMax: Int = 256 << 10,
        connectionsMax: Int = 4_096,
        connectionsPerAddressMax: Int = 1_024,
        bodyMillisecondsMax: Int = 30_000,
        bodyBytesPerSecondMin: Int = 1_024,
        idleMillisecondsMax: Int = 120_000
    ) {
        self.requestsMax = max(1, requestsMax)
        self.bodyBytesInProgressMax = max(1, bodyBytesInProgressMax)
        self.notificationsMax = max(1, notificationsMax)
        self.notificationBytesInProgressMax = max(1, notificationBytesInProgressMax)
        self.notificationBytesMax = max(1, notificationBytesMax)
        self.connectionsMax = max(1, connectionsMax)
        self.connectionsPerAddressMax = max(0, connectionsPerAddressMax)
        self.bodyMillisecondsMax = max(1, bodyMillisecondsMax)
        self.bodyBytesPerSecondMin = max(0, bodyBytesPerSecondMin)
        self.idleMillisecondsMax = max(1, idleMillisecondsMax)
    }
}
