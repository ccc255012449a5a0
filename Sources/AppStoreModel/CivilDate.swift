/// A day of the Gregorian calendar, extended to all years, as Apple's dates and periods need it.
///
/// The subscription side has a calendar of its own: the store and the server share no logic of time.
///
/// - Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin in March, so that the leap day
///   is the last of its year, and eras of 400 such years all have the same length.
package struct CivilDate: Hashable, Sendable {
    /// The year, with year 0 before year 1.
    package var year: Int
    /// 1 to 12.
    package var month: Int
    /// 1 to the length of the month.
    package var day: Int

    private static let daysPerEra = 146_097
    /// From 0000-03-01 to 1970-01-01.
    private static let daysBeforeEpoch = 719_468

    /// Names a day; nothing is checked.
    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date that lies so many days after 1970-01-01.
    package init(daysSinceEpoch: Int) {
        let days = daysSinceEpoch + Self.daysBeforeEpoch
        let era = Self.era(of: days, length: Self.daysPerEra)
        let dayOfEra = days - era * Self.daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days from 1970-01-01 to this date.
    package var daysSinceEpoch: Int {
        let marchYear = month > 2 ? year : year - 1
        let era = Self.era(of: marchYear, length: 400)
        let yearOfEra = marchYear - era * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysPerEra + dayOfEra - Self.daysBeforeEpoch
    }

    /// The same day so many months later; the last day of the month where that month is shorter.
    package func adding(months: Int) -> CivilDate {
        let total = year * 12 + (month - 1) + months
        let newYear = Self.era(of: total, length: 12)
        let newMonth = total - newYear * 12 + 1
        return CivilDate(year: newYear, month: newMonth, day: min(day, Self.length(ofMonth: newMonth, year: newYear)))
    }

    /// Whether a year has a 29th of February.
    package static func isLeap(year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    /// How many days a month has.
    package static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year: year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// How many whole lengths a number has, rounded towards negative infinity.
    private static func era(of number: Int, length: Int) -> Int {
        (number >= 0 ? number : number - length + 1) / length
    }
}
