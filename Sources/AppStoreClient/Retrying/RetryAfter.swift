/// When the server allows the next call, according to its `Retry-After` header field.
///
/// Apple sends a time in milliseconds since 1970; RFC 9110 defines seconds from now, or a date. All forms are
/// supported.
///
/// - Source: App Store Server API, Identifying rate limits; RFC 9110, section 10.2.3.
public struct RetryAfter: Hashable, Sendable {
    /// Numbers from here on are times: as a delay in seconds this would be thirty years.
    private static let secondsTimestampMin: Int64 = 1_000_000_000

    /// Numbers from here on are times in milliseconds: in seconds this would be the year 5138.
    private static let millisecondsTimestampMin: Int64 = 100_000_000_000

    /// When to call again, by the caller's clock.
    ///
    /// - Units: milliseconds since 1970-01-01T00:00:00Z.
    public let date: Int64

    /// How long to wait after the arrival of the answer; never negative.
    ///
    /// - Units: milliseconds.
    public let delay: Int64

    /// Parses the value of the field.
    ///
    /// - Parameters:
    ///   - text: A number below 1,000,000,000 is seconds from now, below 100,000,000,000 a time in seconds since
    ///     1970, and from there on a time in milliseconds; anything else must be an HTTP date.
    ///   - now: When the answer arrived, in milliseconds since 1970.
    /// - Returns: nil if the text has none of these forms.
    public init?(_ text: String, now: Int64) {
        let value = text.trimmingBlanks
        if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // Digits beyond the largest number count as the largest number.
            self.init(number: Int64(value) ?? .max, now: now)
        } else if let date = HTTPDate.milliseconds(value, now: now) {
            self.init(date: date, now: now)
        } else {
            return nil
        }
    }

    /// A time after a delay in milliseconds.
    init(delay: Int64, now: Int64) {
        self.init(date: now.addingClamped(max(0, delay)), now: now)
    }

    private init(number: Int64, now: Int64) {
        if number < Self.secondsTimestampMin {
            self.init(date: now.addingClamped(number * 1000), now: now)
        } else if number < Self.millisecondsTimestampMin {
            self.init(date: number * 1000, now: now)
        } else {
            self.init(date: number, now: now)
        }
    }

    private init(date: Int64, now: Int64) {
        self.date = date
        self.delay = max(0, date.subtractingClamped(now))
    }
}

extension String {
    /// The text without leading and trailing blanks and tabs, as header values are parsed.
    var trimmingBlanks: String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        let start = drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(start[...last])
    }
}

extension Int64 {
    /// The sum, clamped to the range.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
    /// The difference, clamped to the range.
    func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
