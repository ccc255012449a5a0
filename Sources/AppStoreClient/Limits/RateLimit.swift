/// How many calls are allowed: a quota per hour, of which some may come at once.
///
/// Apple publishes calls per second and enforces them by the hour. The limiter lets `burst` calls through at once and
/// spreads the rest, so that in no hour, wherever it begins, more than the quota are sent.
///
/// - Source: App Store Server API, Identifying rate limits.
public struct RateLimit: Hashable, Sendable {
    /// Calls in any hour.
    public let callsPerHour: Int

    /// Calls that may come at once after a quiet time; at least one and less than the quota.
    public let burst: Int

    /// Makes a limit; numbers outside their range are moved to its border, and the least quota is two calls an hour.
    public init(callsPerHour: Int, burst: Int) {
        self.callsPerHour = min(max(2, callsPerHour), 1_000_000_000)
        self.burst = min(max(1, burst), self.callsPerHour - 1)
    }

    /// The limit of a call: Apple's calls per second, a tenth of them in sandbox, as a quota per hour.
    ///
    /// - Parameters:
    ///   - productionCallsPerSecond: Apple's number.
    ///   - isSandbox: Whether the sandbox's tenth counts.
    ///   - burstSeconds: How many seconds' worth may come at once.
    public init(productionCallsPerSecond: Int, isSandbox: Bool, burstSeconds: Int = 30) {
        let perSecond = min(max(0, productionCallsPerSecond), 100_000)
        let perTenSeconds = isSandbox ? perSecond : perSecond * 10
        let burst = perTenSeconds * min(max(0, burstSeconds), 3600) / 10
        self.init(callsPerHour: perTenSeconds * 360, burst: burst)
    }

    /// The part of one of several processes that call for the same app; together they keep the limit, unless it is less
    /// than two calls an hour for each.
    ///
    /// - Parameter processes: How many they are; at least one.
    public func part(ofProcesses processes: Int) -> RateLimit {
        RateLimit(callsPerHour: callsPerHour / max(1, processes), burst: burst / max(1, processes))
    }

    /// The time between two calls when the burst is used up, in microseconds, rounded up.
    var spacing: Int64 {
        let hour: Int64 = 3_600_000_000
        let steady = Int64(callsPerHour - burst)
        return (hour + steady - 1) / steady
    }
}

/// Which limits the client keeps of its own accord, so that Apple need not refuse.
public struct RateLimiting: Sendable {
    /// The limit of a call in an environment, or nil for none.
    public typealias Rule = @Sendable (_ call: AppStoreServerCall, _ isSandbox: Bool) -> RateLimit?

    let rule: Rule

    /// Keeps limits of one's own.
    public init(_ rule: @escaping Rule) {
        self.rule = rule
    }

    /// Apple's published limits, per app, environment and call.
    public static let apple = RateLimiting { call, isSandbox in
        call.productionCallsPerSecond.map { RateLimit(productionCallsPerSecond: $0, isSandbox: isSandbox) }
    }

    /// Apple's published limits, divided among processes that call for the same apps.
    ///
    /// - Parameter processes: How many they are; at least one.
    public static func apple(sharedBy processes: Int) -> RateLimiting {
        RateLimiting { call, isSandbox in apple.rule(call, isSandbox)?.part(ofProcesses: processes) }
    }

    /// No limits: an answer 429 is the first to say so, and is waited for nevertheless.
    public static let off = RateLimiting { _, _ in nil }
}
