import PerennialPrimitives

/// A calendar duration: years, months and days by the calendar; hours, minutes and seconds of fixed length.
///
/// - Source: ISO 8601, duration in the form `PnYnMnWnDTnHnMnS`, whole numbers only.
public struct CalendarDuration: Hashable, Sendable {
    /// Years and months together.
    public let months: Int
    /// Weeks and days together.
    public let days: Int
    /// Hours, minutes and seconds together.
    public let seconds: Int

    /// The largest number in a part, so that no sum overflows.
    private static let partMax = 100_000

    /// Reads a duration; nil for invalid text and for a duration of zero.
    public init?(_ text: String) {
        guard let numbers = ISO8601Duration(text, numberMax: Self.partMax) else { return nil }
        months = numbers.years * 12 + numbers.months
        days = numbers.weeks * 7 + numbers.days
        seconds = (numbers.hours * 60 + numbers.minutes) * 60 + numbers.seconds
        guard months + days + seconds > 0 else { return nil }
    }
}

extension Timestamp {
    /// Adds a duration in UTC: first the months, with the day limited to the last of the month, then the rest.
    public func adding(_ duration: CalendarDuration) -> Timestamp {
        let dayLength: Int64 = 86_400_000
        let (day, timeOfDay) = milliseconds.flooredQuotientAndRemainder(dividingBy: dayLength)
        var date = CivilDate(daysSince1970: day)
        let months = date.year * 12 + Int64(date.month - 1) + Int64(duration.months)
        let (year, month) = months.flooredQuotientAndRemainder(dividingBy: 12)
        date = CivilDate(year: year, month: Int(month) + 1, day: date.day)
        let shifted = date.daysSince1970 + Int64(duration.days)
        let (whole, overflow) = shifted.multipliedReportingOverflow(by: dayLength)
        guard !overflow else { return Timestamp(milliseconds: shifted > 0 ? .max : .min) }
        return Timestamp(milliseconds: whole)
            .adding(milliseconds: timeOfDay)
            .adding(milliseconds: Int64(duration.seconds) * 1000)
    }
}
