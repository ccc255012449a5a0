/// A length of time as people name it: years, months and days by the calendar, the rest by the clock.
///
/// - Source: ISO 8601, duration in the form `PnYnMnWnDTnHnMnS`, whole numbers only.
public struct CalendarDuration: Hashable, Sendable {
    /// Years and months together.
    public let months: Int
    /// Weeks and days together.
    public let days: Int
    /// Hours, minutes and seconds together.
    public let seconds: Int

    /// The largest number that a part may have; keeps every sum far from the limits of its type.
    private static let partMax = 100_000

    /// Reads a duration; nil for what is none, and for one of no length.
    public init?(_ text: String) {
        guard text.first == "P" else { return nil }
        let parts = text.dropFirst().split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        guard let dates = parts.first, let date = Self.numbers(in: dates, units: "YMWD") else { return nil }
        var time = [0, 0, 0]
        if parts.count == 2 {
            guard !parts[1].isEmpty, let numbers = Self.numbers(in: parts[1], units: "HMS") else { return nil }
            time = numbers
        }
        months = date[0] * 12 + date[1]
        days = date[2] * 7 + date[3]
        seconds = (time[0] * 60 + time[1]) * 60 + time[2]
        guard months + days + seconds > 0 else { return nil }
    }

    /// The number before each unit, 0 where it is left out; units must keep their order.
    private static func numbers(in text: Substring, units: String) -> [Int]? {
        let units = Array(units)
        var numbers = [Int](repeating: 0, count: units.count)
        var next = 0
        var digits = ""
        for character in text {
            if character.isASCII, character.isNumber {
                digits.append(character)
                continue
            }
            guard
                let place = units[next...].firstIndex(of: character), let number = Int(digits), number <= partMax
            else { return nil }
            numbers[place] = number
            next = place + 1
            digits = ""
        }
        return digits.isEmpty ? numbers : nil
    }
}

extension Timestamp {
    /// The instant after a duration, in UTC: months first, kept inside the month that they lead to, then the rest.
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
