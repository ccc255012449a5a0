import SubscriptionCore

/// When the server asks Apple for the status of a subscription.
public struct PollingSettings: Hashable, Sendable {
    /// Whether the server asks on its own. A customer can be refreshed in any case.
    public var isAutomatic: Bool
    /// How long before the end of a period Apple is asked; 0 for not at all.
    ///
    /// - Units: milliseconds.
    public var beforeEndMilliseconds: Int64
    /// How long after the end of a period Apple is asked while no fact tells what became of it.
    ///
    /// - Units: milliseconds, in ascending order.
    public var afterEndMilliseconds: [Int64]
    /// The time between two queries during billing retry.
    ///
    /// - Units: milliseconds.
    public var billingRetryMilliseconds: Int64
    /// The maximum number of queries per second of real time, for each app in production. In sandbox it is a tenth, as
    /// Apple's limits are. 0 for no limit.
    ///
    /// All servers of a database share it, because one of them asks at a time.
    public var queriesPerSecond: Int

    /// The default times after the end of a period: 5 minutes, 1, 6 and 24 hours.
    public static let afterEndDefault: [Int64] = [300_000, 3_600_000, 21_600_000, 86_400_000]

    /// How long a lease is valid in real time.
    static let leaseMilliseconds: Int64 = 90_000
    /// The time limit of a query. A status and a part of a history, each with its wait for a slot, fit into the lease.
    static let queryMillisecondsMax = 20_000
    /// The number of queries at the same time.
    static let queriesMax = 4
    /// How long the last of the queries that begin together waits for its slot.
    private static let groupSeconds = 10

    /// Makes settings. Times below zero count as zero.
    public init(
        isAutomatic: Bool = true,
        beforeEndMilliseconds: Int64 = 86_400_000,
        afterEndMilliseconds: [Int64] = afterEndDefault,
        billingRetryMilliseconds: Int64 = 86_400_000,
        queriesPerSecond: Int = 10
    ) {
        self.isAutomatic = isAutomatic
        self.beforeEndMilliseconds = max(0, beforeEndMilliseconds)
        self.afterEndMilliseconds = afterEndMilliseconds.map { max(0, $0) }.sorted()
        self.billingRetryMilliseconds = max(60_000, billingRetryMilliseconds)
        self.queriesPerSecond = max(0, queriesPerSecond)
    }

    /// The time between two queries of an app; zero for no limit.
    func queryInterval(in environment: StoreEnvironment) -> Duration {
        guard queriesPerSecond > 0 else { return .zero }
        return .microseconds(1_000_000 * Self.share(in: environment) / queriesPerSecond)
    }

    /// The number of queries that begin together.
    func groupSize(in environment: StoreEnvironment) -> Int {
        guard queriesPerSecond > 0 else { return Self.queriesMax }
        return min(Self.queriesMax, max(1, Self.groupSeconds * queriesPerSecond / Self.share(in: environment)))
    }

    /// Sandbox has a tenth of the limits.
    private static func share(in environment: StoreEnvironment) -> Int { environment == .production ? 1 : 10 }

    /// The settings for a clock. A local store has Apple's limits on its own clock.
    public func forClock(isFollowed: Bool) -> PollingSettings {
        var settings = self
        if isFollowed { settings.queriesPerSecond = 0 }
        return settings
    }
}
