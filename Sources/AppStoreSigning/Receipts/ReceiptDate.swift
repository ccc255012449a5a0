import AppStoreModel

/// The dates of receipts: RFC 3339 text, for example `2026-03-05T09:00:00Z`.
///
/// Parsed by hand, because a receipt has hundreds of them and date formatters take microseconds each.
package enum ReceiptDate {
    /// Parses a date; `nil` if the text is invalid.
    ///
    /// Fractions of a second (to the millisecond) and offsets from UTC are supported, although the App Store sends
    /// none.
    ///
    /// - Returns: Milliseconds since 1970-01-01T00:00:00Z.
    package static func milliseconds(_ text: ArraySlice<UInt8>) -> Int64? {
        var reader = Reader(rest: text)
        guard
            let year = reader.digits(4), reader.skip("-"),
            let month = reader.digits(2), reader.skip("-"), (1...12).contains(month),
            let day = reader.digits(2), reader.skip("T"),
            (1...CivilDate.length(ofMonth: Int(month), year: Int(year))).contains(Int(day)),
            let hour = reader.digits(2), reader.skip(":"), hour < 24,
            let minute = reader.digits(2), reader.skip(":"), minute < 60,
            let second = reader.digits(2), second < 60,
            let fraction = reader.fraction(),
            let offset = reader.offset(),
            reader.rest.isEmpty
        else { return nil }
        let days = Int64(CivilDate(year: Int(year), month: Int(month), day: Int(day)).daysSinceEpoch)
        let minutes = (days * 24 + hour) * 60 + minute - offset
        return (minutes * 60 + second) * 1000 + fraction
    }

    /// Formats a date to the second, as in receipts.
    ///
    /// - Parameter milliseconds: Since 1970-01-01T00:00:00Z, in the years 0 to 9999; other values are clamped.
    package static func text(_ milliseconds: Int64) -> String {
        let bounded = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
        let whole = bounded / 86_400_000
        let days = whole * 86_400_000 > bounded ? whole - 1 : whole
        let seconds = (bounded - days * 86_400_000) / 1000
        let civil = CivilDate(daysSinceEpoch: Int(days))
        let date = [padded(Int64(civil.year), 4), padded(Int64(civil.month), 2), padded(Int64(civil.day), 2)]
            .joined(separator: "-")
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60]
        return "\(date)T\(parts.map { padded($0, 2) }.joined(separator: ":"))Z"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

// MARK: - The text

/// The rest of a date's text.
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

    /// A fraction of a second in milliseconds; zero if there is none.
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
