/// How much of everything one server takes at a time. What is over is refused with 503 and `Retry-After`, and works later.
public struct ServerLimits: Hashable, Sendable {
    /// Requests under way at a time, waiting ones included.
    public var requestsMax: Int
    /// Bytes of the bodies of requests under way, so that what waits cannot fill the memory.
    public var bodyBytesInProgressMax: Int
    /// Open connections; further ones wait to be accepted.
    public var connectionsMax: Int
    /// How long a body may take to arrive once its head has.
    ///
    /// - Units: milliseconds.
    public var bodyMillisecondsMax: Int
    /// How long a connection may go without a whole head of a request, or without anything of its body.
    ///
    /// - Units: milliseconds.
    public var idleMillisecondsMax: Int

    /// Makes limits; the defaults suit a machine with a gigabyte of memory. What would serve nobody counts as 1.
    public init(
        requestsMax: Int = 1_024,
        bodyBytesInProgressMax: Int = 64 << 20,
        connectionsMax: Int = 4_096,
        bodyMillisecondsMax: Int = 30_000,
        idleMillisecondsMax: Int = 120_000
    ) {
        self.requestsMax = max(1, requestsMax)
        self.bodyBytesInProgressMax = max(1, bodyBytesInProgressMax)
        self.connectionsMax = max(1, connectionsMax)
        self.bodyMillisecondsMax = max(1, bodyMillisecondsMax)
        self.idleMillisecondsMax = max(1, idleMillisecondsMax)
    }
}
