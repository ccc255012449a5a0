import AppStoreModel
import PerennialPrimitives

/// A span of the calendar in UTC: whole months, days and milliseconds, as an ISO 8601 duration names it.
///
/// Weeks are seven days. A month leads to the same day of the next one, or to that month's last day.
public struct CalendarPeriod: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The duration as it was written, for example `P1M`.
    public let iso8601: String

    /// Whole months; years are twelve of them.
    public let months: Int

    /// Whole days; weeks are seven of them.
    public let days: Int

    /// The part shorter than a day.
    public let milliseconds: Int64

    /// The largest number that a unit may have.
    package static let numberMax = 9_999

    /// The duration as it was written.
    public var description: String { iso8601 }

    /// Reads an ISO 8601 duration of whole numbers, for example `P1Y`, `P3D`, `P1M15D` or `PT1H30M`.
    ///
    /// `nil` when the text is no such duration, is empty (`P`), or has a number above 9999.
    public init?(iso8601 text: String) {
        guard let duration = ISO8601Duration(text, numberMax: Self.numberMax) else { return nil }
        iso8601 = text
        months = duration.years * 12 + duration.months
        days = duration.weeks * 7 + duration.days
        milliseconds =
            Int64(duration.hours) * Milliseconds.hour
            + Int64(duration.minutes) * Milliseconds.minute
            + Int64(duration.seconds) * Milliseconds.second
    }

    /// So many whole months.
    init(months: Int) {
        iso8601 = "P\(months)M"
        self.months = months
        days = 0
        milliseconds = 0
    }

    /// So many hours.
    public static func hours(_ count: Int) -> CalendarPeriod { CalendarPeriod(hours: count) }

    private init(hours: Int) {
        iso8601 = "PT\(hours)H"
        months = 0
        days = 0
        milliseconds = Int64(hours) * Milliseconds.hour
    }

    /// A period that keeps its name and lasts otherwise, as in Apple's sandbox.
    init(named iso8601: String, lasting milliseconds: Int64) {
        self.iso8601 = iso8601
        months = 0
        days = 0
        self.milliseconds = milliseconds
    }

    /// Whether it is a positive number of days or months and nothing shorter.
    var isWholeDays: Bool { milliseconds == 0 && (months > 0 || days > 0) }

    /// Whether subscriptions of this period have the short grace period of weekly products.
    var isAtMostAWeek: Bool { months == 0 && days <= 7 }

    /// Whether two notations mean the same span, as `P1W` and `P7D` do.
    func hasSameLength(as other: CalendarPeriod) -> Bool {
        months == other.months && days == other.days && milliseconds == other.milliseconds
    }

    /// The time that is a number of these periods after another time.
    ///
    /// Counting from one anchor, rather than from the previous result, keeps the day of month over short months:
    /// 31 January, 28 February, 31 March.
    ///
    /// - Parameters:
    ///   - time: Milliseconds since 1970-01-01T00:00:00Z.
    ///   - times: The number of periods.
    public func added(to time: Int64, times: Int = 1) -> Int64 {
        let day = Int(time.dividedRoundingDown(by: Milliseconds.day))
        let timeOfDay = time - Int64(day) * Milliseconds.day
        let moved = CivilDate(daysSinceEpoch: day).adding(months: months * times).daysSinceEpoch + days * times
        return Int64(moved) * Milliseconds.day + timeOfDay + milliseconds * Int64(times)
    }
}

/// Lengths of time in milliseconds.
enum Milliseconds {
    static let second: Int64 = 1_000
    static let minute: Int64 = 60 * second
    static let hour: Int64 = 60 * minute
    static let day: Int64 = 24 * hour

    /// The time without its fraction of a second, milliseconds since 1970.
    static func wholeSecond(of time: Int64) -> Int64 { time.dividedRoundingDown(by: second) * second }
}
