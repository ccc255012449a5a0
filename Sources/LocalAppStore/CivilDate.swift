/// A day of the Gregorian calendar, extended to all years, as calendar arithmetic needs it.
struct CivilDate: Hashable, Sendable {
    /// The year, with year 0 before year 1.
    var year: Int
    /// 1 to 12.
    var month: Int
    /// 1 to the length of the month.
    var day: Int

    /// Days before 1970-01-01, counted from 0001-01-01.
    private static let daysBeforeEpoch = 719_162

    /// The date that lies so many days after 1970-01-01.
    init(daysSinceEpoch: Int) {
        // 400 years always have 146,097 days, so the guess is off by one year at most.
        var year = 1970 + (daysSinceEpoch * 400).dividedRoundingDown(by: 146_097)
        while Self.daysSinceEpoch(ofYear: year) > daysSinceEpoch { year -= 1 }
        while Self.daysSinceEpoch(ofYear: year + 1) <= daysSinceEpoch { year += 1 }
        var remaining = daysSinceEpoch - Self.daysSinceEpoch(ofYear: year)
        var month = 1
        while remaining >= Self.length(ofMonth: month, year: year) {
            remaining -= Self.length(ofMonth: month, year: year)
            month += 1
        }
        self.init(year: year, month: month, day: remaining + 1)
    }

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Days from 1970-01-01 to this date.
    var daysSinceEpoch: Int {
        var days = Self.daysSinceEpoch(ofYear: year) + day - 1
        for earlier in 1..<month { days += Self.length(ofMonth: earlier, year: year) }
        return days
    }

    /// The same day so many months later; the last day of the month where that month is shorter.
    func adding(months: Int) -> CivilDate {
        let total = year * 12 + (month - 1) + months
        let newYear = total.dividedRoundingDown(by: 12)
        let newMonth = total - newYear * 12 + 1
        let lastDay = Self.length(ofMonth: newMonth, year: newYear)
        return CivilDate(year: newYear, month: newMonth, day: min(day, lastDay))
    }

    static func isLeap(year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year: year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970-01-01 to the first of January.
    private static func daysSinceEpoch(ofYear year: Int) -> Int {
        let before = year - 1
        let leapDays =
            before.dividedRoundingDown(by: 4) - before.dividedRoundingDown(by: 100)
            + before.dividedRoundingDown(by: 400)
        return before * 365 + leapDays - daysBeforeEpoch
    }
}

extension BinaryInteger {
    /// The quotient rounded towards negative infinity, so that days before 1970 count like those after.
    func dividedRoundingDown(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
