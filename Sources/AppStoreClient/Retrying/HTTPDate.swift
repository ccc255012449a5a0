import AppStoreModel

/// Parses the dates of HTTP header fields, in all three forms that a recipient must accept.
///
/// - Source: RFC 9110, section 5.6.7.
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The maximum length of a date in the three forms.
    private static let bytesMax = 40

    /// The time in milliseconds since 1970, or nil if the text is not an HTTP date.
    ///
    /// - Parameters:
    ///   - text: The field's value.
    ///   - now: Determines the century of a two-digit year, by RFC 9110; in milliseconds since 1970.
    package static func milliseconds(_ text: String, now: Int64) -> Int64? {
        guard text.utf8.count <= bytesMax else { return nil }
        let words = text.split(separator: " ").map(String.init)
        switch words.count {
        case 6 where words[0].hasSuffix(",") && words[5] == "GMT":
            // Sun, 06 Nov 1994 08:49:37 GMT
            return milliseconds(day: words[1], month: words[2], year: year(words[3]), time: words[4])
        case 4 where words[0].hasSuffix(",") && words[3] == "GMT":
            // Sunday, 06-Nov-94 08:49:37 GMT
            let parts = words[1].split(separator: "-").map(String.init)
            guard parts.count == 3 else { return nil }
            return milliseconds(day: parts[0], month: parts[1], year: shortYear(parts[2], now: now), time: words[2])
        case 5:
            // Sun Nov  6 08:49:37 1994
            return milliseconds(day: words[2], month: words[1], year: year(words[4]), time: words[3])
        default:
            return nil
        }
    }

    private static func milliseconds(day: String, month: String, year: Int64?, time: String) -> Int64? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0), digits: 2) }
        guard
            let year, let month = months.firstIndex(of: month),
            let day = number(day, digits: 2) ?? number(day, digits: 1), (1...31).contains(day),
            clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = Int64(CivilDate(year: Int(year), month: month + 1, day: Int(day)).daysSinceEpoch)
        return ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000
    }

    private static func year(_ text: String) -> Int64? {
        number(text, digits: 4)
    }

    /// A year more than 50 years ahead belongs to the previous century.
    private static func shortYear(_ text: String, now: Int64) -> Int64? {
        guard let short = number(text, digits: 2) else { return nil }
        let current = 1970 + now / 31_556_952_000
        let year = current - current % 100 + short
        return year > current + 50 ? year - 100 : year
    }

    private static func number(_ text: String, digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
