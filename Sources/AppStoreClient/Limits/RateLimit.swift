public import AppStoreModel

/// A rate limit: a quota per hour, with a burst.
///
/// Apple publishes calls per second and enforces them per hour. The limiter admits `burst` calls at once and spaces the
/// others, so that no hour, wherever it starts, exceeds the quota.
///
/// - Source: App Store Server API, Identifying rate limits.
public struct RateLimit: Hashable, Sendable {
    /// Calls in any hour.
    public let callsPerHour: Int

    /// Calls that may be sent at once after a quiet time; at least one, and less than the quota.
    public let burst: Int

    /// Makes a limit; values out of range are clamped, and the minimum quota is two calls per hour.
    public init(callsPerHour: Int, burst: Int) {
        self.callsPerHour = min(max(2, callsPerHour), 1_000_000_000)
        self.burst = min(max(1, burst), self.callsPerHour - 1)
    }

    /// The limit of a call: Apple's calls per second, a tenth of them in the sandbox, as a quota per hour.
    ///
    /// - Parameters:
    ///   - productionCallsPerSecond: Apple's number.
    ///   - isSandbox: Whether the sandbox's tenth applies.
    ///   - burstSeconds: The burst, in seconds' worth of calls.
    public init(productionCallsPerSecond: Int, isSandbox: Bool, burstSeconds: Int = 30) {
        let perSecond = min(max(0, productionCallsPerSecond), 100_000)
        let perTenSeconds = isSandbox ? perSecond : perSecond * 10
        let burst = perTenSeconds * min(max(0, burstSeconds), 3600) / 10
        self.init(callsPerHour: perTenSeconds * 360, burst: burst)
    }

    /// The share of one of several processes that call for the same app. Together they respect the limit, unless it is
    /// less than two calls per hour for each.
    ///
    /// - Parameter processes: The number of processes; at least one.
    public func part(ofProcesses processes: Int) -> RateLimit {
        RateLimit(callsPerHour: callsPerHour / max(1, processes), burst: burst / max(1, processes))
    }

    /// The time between two calls after the burst, in microseconds, rounded up.
    var spacing: Int64 {
        let hour: Int64 = 3_600_000_000
        let steady = Int64(callsPerHour - burst)
        return (hour + steady - 1) / steady
    }
}

/// The limits that the client respects, so that Apple need not refuse calls.
public struct RateLimiting: Sendable {
    /// The limit of a call in an environment, or nil for none.
    public typealias Rule = @Sendable (_ call: AppStoreServerCall, _ isSandbox: Bool) -> RateLimit?

    let rule: Rule

    /// Uses custom limits.
    public init(_ rule: @escaping Rule) {
        self.rule = rule
    }

    /// Apple's published limits, per app, environment and call.
    public static let apple = RateLimiting { call, isSandbox in
        call.productionCallsPerSecond.map { RateLimit(productionCallsPerSecond: $0, isSandbox: isSandbox) }
    }

    /// Apple's published limits, divided among processes that call for the same apps.
    ///
    /// - Parameter processes: The number of processes; at least one.
    public static func apple(sharedBy processes: Int) -> RateLimiting {
        RateLimiting { call, isSandbox in apple.rule(call, isSandbox)?.part(ofProcesses: processes) }
    }

    /// No limits: the client reacts only to a 429 answer, and waits as it demands.
    public static let off = RateLimiting { _, _ in nil }
}
