public import AppStoreModel

/// Whether calls of Apple's API are counted.
public enum RateLimitPolicy: String, Hashable, Sendable, CaseIterable, Codable {
    /// Apple's limits, by the virtual clock; in the sandbox a tenth of them.
    case apple
    /// No limits.
    case off
}

/// Counts the calls of each endpoint per hour; an hour starts with its first call.
struct RateLimiter: Sendable, Codable {
    /// The calls of one hour.
    private struct Window: Hashable, Sendable, Codable {
        let start: Int64
        var calls = 0
    }

    private static let windowLength = Milliseconds.hour

    private var windows: [AppStoreServerCall.Identifier: Window] = [:]

    /// Counts a call, unless the hour's limit is reached.
    ///
    /// - Returns: When calls are accepted again, milliseconds since 1970; `nil` if this one is accepted.
    mutating func admit(_ endpoint: AppStoreServerCall.Identifier, callsPerHour: Int, now: Int64) -> Int64? {
        var window = windows[endpoint] ?? Window(start: now)
        if now >= window.start + Self.windowLength { window = Window(start: now) }
        guard window.calls < callsPerHour else { return window.start + Self.windowLength }
        window.calls += 1
        windows[endpoint] = window
        return nil
    }
}

extension LocalAppStore {
    private static let secondsPerHour = 3_600

    /// The number of production calls for each sandbox call.
    private static let sandboxShare = 10

    /// Counts a call of Apple's API against the hourly limit of the endpoint.
    ///
    /// - Returns: When calls are accepted again, milliseconds since 1970; `nil` if this one is accepted.
    /// - Source: App Store Server API, Identifying rate limits: published per second, enforced hourly.
    public mutating func admit(_ endpoint: AppStoreServerCall.Identifier) -> Int64? {
        guard let quota = callsPerHour(of: endpoint) else { return nil }
        return rateLimiter.admit(endpoint, callsPerHour: quota, now: now)
    }

    /// The hourly limit of an endpoint; `nil` without a limit.
    func callsPerHour(of endpoint: AppStoreServerCall.Identifier) -> Int? {
        guard settings.rateLimits == .apple, let rate = endpoint.call.productionCallsPerSecond else { return nil }
        let perHour = rate * Self.secondsPerHour
        return configuration.environment == .production ? perHour : perHour / Self.sandboxShare
    }
}
