package import SubscriptionCore
package import SubscriptionStorage

/// Decides whether notifications are unusually quiet, from an app's own rate. It has no clock and no storage.
///
/// The last full hours are quiet if none arrived in them, although at least `count` arrived in the same hours of each
/// of the earlier days. They are also quiet if fewer than `lowPercent` of the usual number arrived, and that number is
/// at least `lowCount`. A day has busy and quiet hours, so only the same hours are compared.
package struct QuietRule: Hashable, Sendable {
    /// A time in which notifications are unusually quiet.
    package struct QuietTime: Hashable, Sendable {
        /// Its start.
        package var since: Timestamp
        /// The number of notifications that arrived in the compared hours.
        package var arrived: Int
        /// The smallest number that arrived in the same hours of an earlier day.
        package var usual: Int
    }

    /// The hours with notifications.
    private struct Hours {
        var counts: [Int64: Int]
        /// The start of the first known hour.
        var first: Int64
        /// The end of the last hour with notifications.
        var lastEnd: Int64
        /// The start of the current hour, which is not full.
        var current: Int64

        /// The number of notifications in the last full hours, on a day.
        func count(_ length: Int, daysBack: Int) -> Int {
            let end = current - Int64(daysBack) * QuietRule.day
            return (1...length).reduce(0) { $0 + (counts[end - Int64($1) * QuietRule.hour] ?? 0) }
        }

        /// The days on which the same hours are known.
        func knownDays(_ length: Int) -> [Int] {
            let start = current - Int64(length) * QuietRule.hour
            return (1...QuietRule.days).filter { start - Int64($0) * QuietRule.day >= first }
        }
    }

    /// The number of earlier days that are compared.
    package static let days = 7
    /// The minimum number of earlier days that must be known.
    static let daysMin = 3
    /// The maximum number of quiet hours that are looked at.
    static let hoursMax = 24

    private static let hour: Int64 = 3_600_000
    private static let day: Int64 = 24 * hour

    /// The number of notifications that must have arrived on each earlier day; 0 turns the rule of silence off.
    let count: Int
    /// The same for the rule of low rates.
    let lowCount: Int
    /// The share of the usual notifications below which the rate is low, in percent.
    let lowPercent: Int

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - count: The number of notifications that must have arrived on each earlier day; 0 turns the rule of silence
    ///     off.
    ///   - lowCount: The same for the rule of low rates.
    ///   - lowPercent: The share of the usual notifications below which the rate is low, in percent.
    package init(count: Int, lowCount: Int = 0, lowPercent: Int = 0) {
        self.count = count
        self.lowCount = lowCount
        self.lowPercent = lowPercent
    }

    /// The rule of the settings.
    package init(_ settings: RecoverySettings) {
        self.init(count: settings.quietCount, lowCount: settings.lowCount, lowPercent: settings.lowPercent)
    }

    /// The quiet time; nil if it is as usual.
    ///
    /// - Parameters:
    ///   - hours: The hours with notifications of the last nine days, in order of time.
    ///   - reported: The start of a quiet time that is not over. A low rate is then compared only with the days before.
    package func quietTime(
        _ hours: [NotificationHour],
        at now: Timestamp,
        reportedSince reported: Timestamp? = nil
    ) -> QuietTime? {
        guard let first = hours.first, let last = hours.last else { return nil }
        let known = Hours(
            counts: Dictionary(hours.map { ($0.startsAt.milliseconds, $0.count) }) { $0 + $1 },
            first: first.startsAt.milliseconds,
            lastEnd: last.startsAt.milliseconds + Self.hour,
            current: NotificationHour.start(of: now).milliseconds
        )
        return silentTime(known) ?? lowTime(known, reportedSince: reported?.milliseconds)
    }

    private func silentTime(_ hours: Hours) -> QuietTime? {
        guard count > 0 else { return nil }
        // The longest quiet span is the surest one.
        let length = Int(min(max(0, (hours.current - hours.lastEnd) / Self.hour), Int64(Self.hoursMax)))
        guard length > 0 else { return nil }
        let days = hours.knownDays(length)
        guard days.count >= Self.daysMin else { return nil }
        let usual = days.map { hours.count(length, daysBack: $0) }.min() ?? 0
        guard usual >= count else { return nil }
        return QuietTime(since: Timestamp(milliseconds: hours.lastEnd), arrived: 0, usual: usual)
    }

    private func lowTime(_ hours: Hours, reportedSince reported: Int64?) -> QuietTime? {
        guard lowCount > 0, lowPercent > 0 else { return nil }
        for length in (1...Self.hoursMax).reversed() {
            var days = hours.knownDays(length)
            // The days since then are as quiet as now.
            if let reported { days.removeAll { hours.current - Int64($0) * Self.day > reported } }
            guard days.count >= (reported == nil ? Self.daysMin : 1) else { continue }
            let usual = days.map { hours.count(length, daysBack: $0) }.min() ?? 0
            let arrived = hours.count(length, daysBack: 0)
            guard usual >= lowCount, arrived * 100 < usual * lowPercent else { continue }
            let start = hours.current - Int64(length) * Self.hour
            return QuietTime(since: Timestamp(milliseconds: start), arrived: arrived, usual: usual)
        }
        return nil
    }
}
