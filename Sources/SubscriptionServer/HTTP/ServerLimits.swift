/// How much of everything one server takes at a time. What is over is refused with 503 and `Retry-After`, and works
/// later.
public struct ServerLimits: Hashable, Sendable {
    /// Requests under way at a time, waiting ones included; those that Apple sends are counted apart. A request whose
    /// body still arrives is not under way.
    public var requestsMax: Int
    /// Bytes of the bodies that have arrived for requests that are not answered yet, without Apple's.
    public var bodyBytesInProgressMax: Int
    /// Requests of Apple's under way at a time.
    public var notificationsMax: Int
    /// Bytes that have arrived of Apple's requests that are not answered yet.
    public var notificationBytesInProgressMax: Int
    /// Bytes of one request of Apple's: a version 2 notification has about 20,000.
    public var notificationBytesMax: Int
    /// Open connections; further ones wait to be accepted.
    public var connectionsMax: Int
    /// Open connections from one address, where it is known and not loopback; further ones are closed at once. 0 is any
    /// number.
    public var connectionsPerAddressMax: Int
    /// How long a body may take to arrive once its head has.
    ///
    /// - Units: milliseconds.
    public var bodyMillisecondsMax: Int
    /// How fast a body must arrive at least, looked at every five seconds.
    ///
    /// - Units: bytes per second.
    public var bodyBytesPerSecondMin: Int
    /// How long a connection may go without a whole head of a request, or without anything of its body.
    ///
    /// - Units: milliseconds.
    public var idleMillisecondsMax: Int

    /// Makes limits; the defaults suit a machine with a gigabyte of memory. What would serve nobody counts as 1.
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
