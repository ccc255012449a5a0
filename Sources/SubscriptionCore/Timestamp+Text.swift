extension Timestamp {
    private static let dayMilliseconds: Int64 = 86_400_000

    /// The date in UTC, such as `8 February 2026`.
    public var dateText: String {
        let date = CivilDate(daysSince1970: daysAndRest.quotient)
        return "\(date.day) \(Self.monthNames[date.month - 1]) \(date.year)"
    }

    /// The date with the time of day, such as `8 February 2026, 09:30 UTC`.
    public var dateAndTimeText: String {
        let minutes = daysAndRest.remainder / 60_000
        return "\(dateText), \(Self.digits(minutes / 60, 2)):\(Self.digits(minutes % 60, 2)) UTC"
    }

    /// The time in ISO 8601, such as `2026-02-08T09:30:00.250Z`.
    public var iso8601Text: String {
        let date = CivilDate(daysSince1970: daysAndRest.quotient)
        let rest = daysAndRest.remainder
        let day = "\(Self.digits(date.year, 4))-\(Self.digits(date.month, 2))-\(Self.digits(date.day, 2))"
        let minutes = "\(Self.digits(rest / 3_600_000, 2)):\(Self.digits(rest / 60_000 % 60, 2))"
        return "\(day)T\(minutes):\(Self.digits(rest / 1_000 % 60, 2)).\(Self.digits(rest % 1_000, 3))Z"
    }

    /// Reads a time that a person typed: whole milliseconds since 1970, or ISO 8601.
    ///
    /// ISO 8601 is a date (`2026-02-08`, midnight in UTC), or a date and a time of day with `Z` or an offset
    /// (`2026-02-08T09:30:00Z`, `2026-02-08T09:30:00.250+01:00`). Seconds may be left out. A time of day without an
    /// offset is ambiguous and is rejected.
    public init?(text: some StringProtocol) {
        if let number = Int64(text) {
            milliseconds = number
            return
        }
        var reader = DigitReader(text)
        guard
            let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), (1...12).contains(month),
            (1...Int64(CivilDate.dayCount(of: Int(month), in: year))).contains(day)
        else { return nil }
        let date = CivilDate(year: year, month: Int(month), day: Int(day))
        let midnight = date.daysSince1970 * Self.dayMilliseconds
        if reader.isAtEnd {
            milliseconds = midnight
            return
        }
        guard reader.skip("T"), let time = reader.timeOfDay(), let offset = reader.offset(), reader.isAtEnd else {
            return nil
        }
        milliseconds = midnight + time - offset
    }

    private static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    private var daysAndRest: (quotient: Int64, remainder: Int64) {
        milliseconds.flooredQuotientAndRemainder(dividingBy: Self.dayMilliseconds)
    }

    private static func digits(_ number: some BinaryInteger, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}

/// Reads the numbers of a date and a time of day.
private struct DigitReader {
    private var rest: ArraySlice<UInt8>

    init(_ text: some StringProtocol) { rest = ArraySlice(text.utf8) }

    var isAtEnd: Bool { rest.isEmpty }

    /// A number of exactly `width` digits.
    mutating func number(_ width: Int) -> Int64? {
        let digits = rest.prefix(width)
        guard digits.count == width, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(width)
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Skips a character if it is next.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Hours and minutes, seconds and their fraction where they are given, as milliseconds.
    mutating func timeOfDay() -> Int64? {
        guard let hours = number(2), hours < 24, skip(":"), let minutes = number(2), minutes < 60 else { return nil }
        var milliseconds = (hours * 60 + minutes) * 60_000
        guard skip(":") else { return milliseconds }
        guard let seconds = number(2), seconds < 60 else { return nil }
        milliseconds += seconds * 1000
        guard skip(".") else { return milliseconds }
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...9).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.prefix(3).reduce((milliseconds, 100)) { ($0.0 + Int64($1 - 0x30) * $0.1, $0.1 / 10) }.0
    }

    /// `Z`, or the offset from UTC in hours and minutes, as milliseconds.
    mutating func offset() -> Int64? {
        if skip("Z") { return 0 }
        let sign: Int64
        if skip("+") {
            sign = 1
        } else if skip("-") {
            sign = -1
        } else {
            return nil
        }
        guard let hours = number(2), hours < 24, skip(":"), let minutes = number(2), minutes < 60 else { return nil }
        return sign * (hours * 60 + minutes) * 60_000
    }
}
