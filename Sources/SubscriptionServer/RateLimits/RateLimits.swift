/// The rate limits of a server's API. Requests above a limit are refused with 429 and `Retry-After`.
public struct RateLimits: Hashable, Sendable {
    /// The requests per second of each secret key; 0 for no limit.
    public var requestsPerSecond: Int
    /// The requests that a secret key may make at once, after a pause.
    public var burst: Int
    /// The requests per second of each client address with publishable keys, without a valid key, and for public keys;
    /// 0 for no limit.
    public var addressRequestsPerSecond: Int
    /// The requests that a client address may make at once, after a pause.
    public var addressBurst: Int
    /// The notifications without a valid signature per minute of each client address; 0 for no limit.
    public var refusedNotificationsPerMinute: Int
    /// The reverse proxies whose `X-Forwarded-For` names the client.
    public var trustedProxies: [NetworkBlock]

    /// Makes limits. A burst below 1 counts as 1.
    public init(
        requestsPerSecond: Int = 1_000,
        burst: Int = 2_000,
        addressRequestsPerSecond: Int = 20,
        addressBurst: Int = 200,
        refusedNotificationsPerMinute: Int = 60,
        trustedProxies: [NetworkBlock] = []
    ) {
        self.requestsPerSecond = max(0, requestsPerSecond)
        self.burst = max(1, burst)
        self.addressRequestsPerSecond = max(0, addressRequestsPerSecond)
        self.addressBurst = max(1, addressBurst)
        self.refusedNotificationsPerMinute = max(0, refusedNotificationsPerMinute)
        self.trustedProxies = trustedProxies
    }
}
