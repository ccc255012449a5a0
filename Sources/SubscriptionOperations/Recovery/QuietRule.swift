package import SubscriptionCore
package import SubscriptionStorage

/// Decides whether notifications are unusually quiet, from an app's own rate. It has no clock and no storage.
///
/// The last full hours are quiet if none arrived in them, although at least `count` arrived in the same hours of each
/// of the earlier days. A day has busy and quiet hours, so only the same hours are compared.
package struct QuietRule: Hashable, Sendable {
    /// The number of earlier days that are compared.
    package static let days = 7
    /// The minimum number of earlier days that must be known.
    static let daysMin = 3
    /// The maximum number of quiet hours that are looked at.
    static let hoursMax = 24

    private static let hour: Int64 = 3_600_000

    /// The number of notifications that must have arrived on each earlier day; 0 turns the rule off.
    let count: Int

    /// Makes a rule.
    ///
    /// - Parameter count: The number of notifications that must have arrived on each earlier day; 0 turns the rule off.
    package init(count: Int) { self.count = count }

    /// The start of the quiet time; nil if it is as usual.
    ///
    /// - Parameter hours: The hours with notifications of the last eight days, in order of time.
    package func quietSince(_ hours: [NotificationHour], at now: Timestamp) -> Timestamp? {
        guard count > 0, let first = hours.first, let last = hours.last else { return nil }
        let current = NotificationHour.start(of: now).milliseconds
        let counts = Dictionary(hours.map { ($0.startsAt.milliseconds, $0.count) }) { $0 + $1 }
        let quietStart = last.startsAt.milliseconds + Self.hour
        // The longest quiet span is the surest one.
        let quietHours = Int(min(max(0, (current - quietStart) / Self.hour), Int64(Self.hoursMax)))
        guard quietHours > 0 else { return nil }
        let day = 24 * Self.hour
        let span = (1...quietHours).map { current - Int64($0) * Self.hour }
        let spanStart = current - Int64(quietHours) * Self.hour
        let knownDays = (1...Self.days).filter { spanStart - Int64($0) * day >= first.startsAt.milliseconds }
        guard knownDays.count >= Self.daysMin else { return nil }
        let isUsual = knownDays.allSatisfy { daysBack in
            span.reduce(0) { $0 + (counts[$1 - Int64(daysBack) * day] ?? 0) } >= count
        }
        return isUsual ? Timestamp(milliseconds: quietStart) : nil
    }
}
