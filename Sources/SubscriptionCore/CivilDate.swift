extension Int64 {
    /// Division rounded down, so that the remainder is never negative for a positive divisor.
    func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// A date of the proleptic Gregorian calendar.
///
/// - Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": eras of 400 years begin in March, so the
///   leap day is the last day of its year.
struct CivilDate {
    /// The year; 0 is the year before the year 1.
    let year: Int64
    /// From 1 to 12.
    let month: Int
    /// From 1 to 31.
    let day: Int

    private static let daysPerEra: Int64 = 146_097
    /// From 0000-03-01 to 1970-01-01.
    private static let daysBefore1970: Int64 = 719_468

    /// Makes a date. A day after the end of the month becomes its last day.
    init(year: Int64, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = min(day, Self.dayCount(of: month, in: year))
    }

    /// The number of days in a month.
    static func dayCount(of month: Int, in year: Int64) -> Int {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// The date of a day, counted from 1970-01-01.
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

    /// The number of days from 1970-01-01 to the date.
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
