import SubscriptionCore

/// When the server compares Apple's notification history with what it holds.
public struct RecoverySettings: Hashable, Sendable {
    /// Whether the server does it on its own. Windows that somebody requests are compared in any case.
    public var isAutomatic: Bool
    /// The time between two queries for failed deliveries.
    ///
    /// - Units: milliseconds.
    public var sweepMilliseconds: Int64
    /// The time between two comparisons of the whole history.
    ///
    /// - Units: milliseconds.
    public var comparisonMilliseconds: Int64
    /// How far the first comparison of an app goes back.
    ///
    /// - Units: milliseconds.
    public var firstMilliseconds: Int64
    /// By how much a window overlaps the previous one, because Apple's history may be late.
    ///
    /// - Units: milliseconds.
    public var overlapMilliseconds: Int64
    /// The age of the newest notifications in a comparison while the server runs. Younger ones may still be on their
    /// way.
    ///
    /// - Units: milliseconds.
    public var settlingMilliseconds: Int64
    /// The number of notifications that arrived in the same hours of each earlier day, from which an hour without any
    /// is unusual; 0 turns the alert off.
    public var quietCount: Int
    /// The number of notifications in the same hours of each earlier day from which a low rate is unusual; 0 turns the
    /// alert off.
    public var lowCount: Int
    /// The share of the usual notifications below which the rate is low.
    ///
    /// - Units: percent.
    public var lowPercent: Int
    /// Whether the clock is that of a local store, which may move by years at once.
    private(set) var isClockFollowed = false

    /// The minimum time between two comparisons of the whole history because a sweep found something.
    static let outageMilliseconds: Int64 = 3_600_000
    /// How long windows are kept.
    static let keptMilliseconds: Int64 = 400 * 86_400_000
    /// How long a lease is valid in real time. Each commit renews it: a part of the history is read in less time, even
    /// if Apple answers slowly.
    static let leaseMilliseconds: Int64 = 45_000

    /// Makes settings. Times below zero count as zero.
    public init(
        isAutomatic: Bool = true,
        sweepMilliseconds: Int64 = 300_000,
        comparisonMilliseconds: Int64 = 86_400_000,
        firstMilliseconds: Int64 = 30 * 86_400_000,
        overlapMilliseconds: Int64 = 900_000,
        settlingMilliseconds: Int64 = 60_000,
        quietCount: Int = 10,
        lowCount: Int = 100,
        lowPercent: Int = 5
    ) {
        self.isAutomatic = isAutomatic
        self.sweepMilliseconds = max(0, sweepMilliseconds)
        self.comparisonMilliseconds = max(0, comparisonMilliseconds)
        self.firstMilliseconds = max(0, firstMilliseconds)
        self.overlapMilliseconds = max(0, overlapMilliseconds)
        self.settlingMilliseconds = max(0, settlingMilliseconds)
        self.quietCount = max(0, quietCount)
        self.lowCount = max(0, lowCount)
        self.lowPercent = min(max(0, lowPercent), 100)
    }

    /// The settings for a clock. A followed store delivers everything before its clock moves, so nothing is on its way.
    public func forClock(isFollowed: Bool) -> RecoverySettings {
        var settings = self
        if isFollowed { settings.settlingMilliseconds = 0 }
        settings.isClockFollowed = isFollowed
        return settings
    }

    /// How far back Apple's history goes.
    ///
    /// - Units: milliseconds.
    /// - Source: App Store Server API, Get Notification History.
    static func historyMilliseconds(of environment: StoreEnvironment) -> Int64 {
        environment == .production ? 180 * 86_400_000 : 30 * 86_400_000
    }

    /// A time from which on Apple's history can be asked for, with an hour for the clocks.
    static func historyStart(of environment: StoreEnvironment, at now: Timestamp) -> Timestamp {
        now.adding(milliseconds: 3_600_000 - historyMilliseconds(of: environment))
    }
}
