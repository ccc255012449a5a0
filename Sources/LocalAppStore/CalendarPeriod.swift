import AppStoreModel

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

    /// The duration as it was written.
    public var description: String { iso8601 }

    /// Reads an ISO 8601 duration of whole numbers, for example `P1Y`, `P3D`, `P1M15D` or `PT1H30M`.
    ///
    /// `nil` when the text is no such duration, is empty (`P`), or has a number above 9999.
    public init?(iso8601 text: String) {
        var scanner = DurationScanner(text)
        guard let parts = scanner.scan() else { return nil }
        iso8601 = text
        months = parts.months
        days = parts.days
        milliseconds = parts.milliseconds
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
        milliseconds = Int64(hours) * Instant.hour
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

    /// The instant so many of these periods after another one.
    ///
    /// Counting from one anchor, rather than from the previous result, keeps the day of month over short months:
    /// 31 January, 28 February, 31 March.
    ///
    /// - Parameters:
    ///   - instant: Milliseconds since 1970-01-01T00:00:00Z.
    ///   - times: How many periods.
    public func added(to instant: Int64, times: Int = 1) -> Int64 {
        let day = Int(instant.dividedRoundingDown(by: Instant.day))
        let timeOfDay = instant - Int64(day) * Instant.day
        let moved = CivilDate(daysSinceEpoch: day).adding(months: months * times).daysSinceEpoch + days * times
        return Int64(moved) * Instant.day + timeOfDay + milliseconds * Int64(times)
    }
}

/// Lengths of time in milliseconds.
enum Instant {
    static let second: Int64 = 1_000
    static let minute: Int64 = 60 * second
    static let hour: Int64 = 60 * minute
    static let day: Int64 = 24 * hour

    /// The second that an instant lies in, milliseconds since 1970.
    static func wholeSecond(of instant: Int64) -> Int64 { instant.dividedRoundingDown(by: second) * second }
}

/// Reads an ISO 8601 duration: designators in their order, each at most once.
private struct DurationScanner {
    struct Parts {
        var months = 0
        var days = 0
        var milliseconds: Int64 = 0
    }

    private static let dateUnits: [UInt8] = Array("YMWD".utf8)
    private static let timeUnits: [UInt8] = Array("HMS".utf8)
    private static let numberMax = 9_999

    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    mutating func scan() -> Parts? {
        guard take(UInt8(ascii: "P")) else { return nil }
        var parts = Parts()
        guard let dates = scanUnits(Self.dateUnits) else { return nil }
        for (unit, number) in dates {
            switch unit {
            case UInt8(ascii: "Y"): parts.months += number * 12
            case UInt8(ascii: "M"): parts.months += number
            case UInt8(ascii: "W"): parts.days += number * 7
            default: parts.days += number
            }
        }
        guard take(UInt8(ascii: "T")) else { return rest.isEmpty && !dates.isEmpty ? parts : nil }
        guard let times = scanUnits(Self.timeUnits), !times.isEmpty, rest.isEmpty else { return nil }
        for (unit, number) in times {
            switch unit {
            case UInt8(ascii: "H"): parts.milliseconds += Int64(number) * Instant.hour
            case UInt8(ascii: "M"): parts.milliseconds += Int64(number) * Instant.minute
            default: parts.milliseconds += Int64(number) * Instant.second
            }
        }
        return parts
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func scanUnits(_ units: [UInt8]) -> [(unit: UInt8, number: Int)]? {
        var found: [(unit: UInt8, number: Int)] = []
        var allowed = units[...]
        while let first = rest.first, first != UInt8(ascii: "T") {
            guard let number = scanNumber(), let unit = rest.first, let place = allowed.firstIndex(of: unit) else {
                return nil
            }
            rest.removeFirst()
            allowed = allowed[(place + 1)...]
            found.append((unit, number))
        }
        return found
    }

    private mutating func scanNumber() -> Int? {
        var number: Int?
        while let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            let next = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
            guard next <= Self.numberMax else { return nil }
            number = next
            rest.removeFirst()
        }
        return number
    }
}
