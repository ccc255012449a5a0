/// The dates of receipts: RFC 3339 text, such as `2026-03-05T09:00:00Z`.
///
/// Read by hand, since a receipt has hundreds of them and date formatters cost microseconds each.
package enum ReceiptDate {
    /// Reads a date; `nil` when the text is none.
    ///
    /// Fractions of a second (to the millisecond) and offsets from UTC are understood, though the App Store sends none.
    ///
    /// - Returns: Milliseconds since 1970-01-01T00:00:00Z.
    package static func milliseconds(_ text: ArraySlice<UInt8>) -> Int64? {
        var reader = Reader(rest: text)
        guard
            let year = reader.digits(4), reader.skip("-"),
            let month = reader.digits(2), reader.skip("-"), (1...12).contains(month),
            let day = reader.digits(2), reader.skip("T"), (1...daysInMonth(month, of: year)).contains(day),
            let hour = reader.digits(2), reader.skip(":"), hour < 24,
            let minute = reader.digits(2), reader.skip(":"), minute < 60,
            let second = reader.digits(2), second < 60,
            let fraction = reader.fraction(),
            let offset = reader.offset(),
            reader.rest.isEmpty
        else { return nil }
        let minutes = (daysSince1970(year, month, day) * 24 + hour) * 60 + minute - offset
        return (minutes * 60 + second) * 1000 + fraction
    }

    /// Writes a date to the second, as receipts have it.
    ///
    /// - Parameter milliseconds: Since 1970-01-01T00:00:00Z, in the years 0 to 9999; what is outside is brought inside.
    package static func text(_ milliseconds: Int64) -> String {
        let bounded = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
        let days = bounded.quotientRoundedDown(by: 86_400_000)
        let seconds = (bounded - days * 86_400_000) / 1000
        let (year, month, day) = civil(days)
        let date = [padded(year, 4), padded(month, 2), padded(day, 2)].joined(separator: "-")
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60]
        return "\(date)T\(parts.map { padded($0, 2) }.joined(separator: ":"))Z"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

// MARK: - The calendar

// Days are counted in years that begin in March, so that the leap day is the last of its year, and in eras of 400 such
// years, which all have the same length.
extension ReceiptDate {
    private static let daysInEra: Int64 = 146_097
    /// From 0000-03-01 to 1970-01-01.
    private static let daysBefore1970: Int64 = 719_468

    private static func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let marchYear = month > 2 ? year : year - 1
        let era = marchYear.quotientRoundedDown(by: 400)
        let yearOfEra = marchYear - era * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * daysInEra + dayOfEra - daysBefore1970
    }

    private static func civil(_ daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = daysSince1970 + daysBefore1970
        let era = days.quotientRoundedDown(by: daysInEra)
        let dayOfEra = days - era * daysInEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension Int64 {
    fileprivate func quotientRoundedDown(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return quotient * divisor > self ? quotient - 1 : quotient
    }
}

// MARK: - The text

/// What is left of a date's text.
private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func digits(_ count: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// A fraction of a second in milliseconds, zero when there is none.
    mutating func fraction() -> Int64? {
        guard skip(".") else { return 0 }
        var unit: Int64 = 100
        var milliseconds: Int64 = 0
        var hasDigits = false
        while let digit = digit() {
            milliseconds += digit * unit
            unit /= 10
            hasDigits = true
        }
        return hasDigits ? milliseconds : nil
    }

    /// The offset from UTC in minutes.
    mutating func offset() -> Int64? {
        if skip("Z") { return 0 }
        let isBehind = rest.first == UInt8(ascii: "-")
        guard skip("+") || skip("-"), let hours = digits(2), hours < 24 else { return nil }
        _ = skip(":")
        guard let minutes = digits(2), minutes < 60 else { return nil }
        return (isBehind ? -1 : 1) * (hours * 60 + minutes)
    }

    private mutating func digit() -> Int64? {
        guard let byte = rest.first, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        rest.removeFirst()
        return Int64(byte - UInt8(ascii: "0"))
    }
}
