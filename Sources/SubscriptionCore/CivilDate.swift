extension Int64 {
    /// Like the division of whole numbers with a rest, which here is never negative.
    func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// A day of the Gregorian calendar, also before its time.
///
/// - Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": days are counted in eras of 400 years that
///   begin in March, so that the leap day is the last of its year.
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

    /// A date; a day that the month does not have becomes its last.
    init(year: Int64, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = min(day, Self.dayCount(of: month, in: year))
    }

    /// How many days a month has.
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

    /// How many days lie between 1970-01-01 and the date.
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
