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

extension Int64 {
    /// Like the division of whole numbers with a rest, which here is never negative.
    fileprivate func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// A day of the Gregorian calendar, also before its time.
///
/// - Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": days are counted in eras of 400 years that
///   begin in March, so that the leap day is the last of its year.
private struct CivilDate {
    let year: Int64
    let month: Int
    let day: Int

    private static let daysPerEra: Int64 = 146_097
    /// From 0000-03-01 to 1970-01-01.
    private static let daysBefore1970: Int64 = 719_468

    /// A date; a day that the month does not have becomes its last.
    init(year: Int64, month: Int, day: Int) {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        self.year = year
        self.month = month
        self.day = min(day, lengths[month - 1])
    }

    init(daysSince1970: Int64) {
        let days = daysSince1970 + Self.daysBefore1970
        let era = (days >= 0 ? days : days - Self.daysPerEra + 1) / Self.daysPerEra
        let dayOfEra = days - era * Self.daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int64 {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let era = (yearFromMarch >= 0 ? yearFromMarch : yearFromMarch - 399) / 400
        let yearOfEra = yearFromMarch - era * 400
        let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysPerEra + dayOfEra - Self.daysBefore1970
    }
}
