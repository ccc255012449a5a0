import AppStoreModel

/// Pacific time.
enum PacificTime {
    /// The difference to UTC, milliseconds.
    static func lag(at time: Int64) -> Int64 {
        (hasDaylightSavingTime(time) ? 7 : 8) * Milliseconds.hour
    }

    /// Whether daylight saving time applies: from the second Sunday in March to the first one in November, each at two
    /// o'clock in the morning.
    ///
    /// The rule since 2007, which covers the lifetime of the App Store.
    private static func hasDaylightSavingTime(_ time: Int64) -> Bool {
        let year = CivilDate(daysSinceEpoch: Int(time.dividedRoundingDown(by: Milliseconds.day))).year
        let begins = midnight(ofSundayFrom: CivilDate(year: year, month: 3, day: 8)) + 10 * Milliseconds.hour
        let ends = midnight(ofSundayFrom: CivilDate(year: year, month: 11, day: 1)) + 9 * Milliseconds.hour
        return (begins..<ends).contains(time)
    }

    /// Midnight UTC of the first Sunday on or after a day.
    private static func midnight(ofSundayFrom date: CivilDate) -> Int64 {
        let day = date.daysSinceEpoch
        // 1970-01-01 was a Thursday, the fourth day after a Sunday.
        let daysSinceSunday = (day + 4) % 7
        return Int64(day + (7 - daysSinceSunday) % 7) * Milliseconds.day
    }
}

/// A day in Pacific time, of 23, 24 or 25 hours: the day of App Store Connect's reports.
struct PacificDay: Hashable, Sendable, Comparable {
    /// Days since 1970-01-01.
    let number: Int

    init(number: Int) { self.number = number }

    /// The day of a time.
    init(_ time: Int64) {
        number = Int((time - PacificTime.lag(at: time)).dividedRoundingDown(by: Milliseconds.day))
    }

    /// Parses a day such as `2026-01-31`; `nil` if the text is invalid.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            year >= 1, (1...12).contains(month), (1...CivilDate.length(ofMonth: month, year: year)).contains(day)
        else { return nil }
        number = CivilDate(year: year, month: month, day: day).daysSinceEpoch
    }

    static func < (left: PacificDay, right: PacificDay) -> Bool { left.number < right.number }

    /// The start, milliseconds since 1970.
    var start: Int64 {
        let utc = Int64(number) * Milliseconds.day
        // Clocks change at two in the morning, so midnight has the offset of the hour before it.
        return utc + PacificTime.lag(at: utc + 7 * Milliseconds.hour)
    }

    /// The start of the next day, milliseconds since 1970.
    var end: Int64 { PacificDay(number: number + 1).start }

    /// In the form of report dates in queries: `2026-01-31`.
    var text: String {
        let date = CivilDate(daysSinceEpoch: number)
        return [Self.padded(date.year, 4), Self.padded(date.month, 2), Self.padded(date.day, 2)].joined(separator: "-")
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
