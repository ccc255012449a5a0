import Foundation
import PerennialPrimitives
import Testing

@testable import AppStoreClient

@Suite struct `The Retry-After field` {
    private static let now: Int64 = 1_790_000_000_000

    /// The reference for dates: Foundation, in the three forms.
    private static let forms = [
        "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy",
    ]

    private static func formatter(_ form: String) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = form
        return formatter
    }

    @Test func `a time in milliseconds, seconds and a date mean the same`() {
        var generator = SplitMix64(seed: 7)
        let formatters = Self.forms.map(Self.formatter)
        for _ in 0..<2000 {
            // Within 25 years: the form with a two-digit year has no larger range.
            let seconds = Int64.random(in: 0...800_000_000, using: &generator)
            let date = Date(timeIntervalSince1970: Double(Self.now / 1000 + seconds))
            let texts = ["\(Self.now + seconds * 1000)", "\(seconds)"] + formatters.map { $0.string(from: date) }
            for text in texts {
                let parsed = RetryAfter(text, now: Self.now)
                #expect(parsed?.delay == seconds * 1000, "\(text)")
                #expect(parsed?.date == Self.now + seconds * 1000, "\(text)")
            }
        }
    }

    @Test func `any date of any century is parsed by the calendar`() {
        var generator = SplitMix64(seed: 11)
        let formatter = Self.formatter(Self.forms[0])
        for _ in 0..<2000 {
            let seconds = Int64.random(in: -62_000_000_000...250_000_000_000, using: &generator)
            let date = Date(timeIntervalSince1970: Double(seconds))
            // Foundation uses the Julian calendar before 1582, HTTP does not.
            guard seconds > -12_000_000_000 else { continue }
            #expect(HTTPDate.milliseconds(formatter.string(from: date), now: Self.now) == seconds * 1000)
        }
    }

    @Test func `a past time needs no wait`() {
        #expect(RetryAfter("\(Self.now - 1)", now: Self.now)?.delay == 0)
        #expect(RetryAfter("Sun, 06 Nov 1994 08:49:37 GMT", now: Self.now)?.delay == 0)
        #expect(RetryAfter("\(Self.now / 1000 + 5)", now: Self.now)?.delay == 5000)
    }

    @Test func `too many digits mean the longest wait, not none`() {
        for digits in [19, 20, 100_000] {
            #expect(RetryAfter(String(repeating: "9", count: digits), now: Self.now)?.date == .max)
        }
    }

    @Test func `blanks around the value are ignored`() {
        #expect(RetryAfter("  120\t", now: Self.now)?.delay == 120_000)
    }

    @Test(
        arguments: [
            "", " ", "soon", "-5", "+5", "1.5", "12 13", "0x10", "١٢",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun Nov 6 08:49:37", "Sun, 06 Nov 1994 08:49:37 GMT and more", "Sunday, 06-Nov 08:49:37 GMT",
            String(repeating: "9", count: 100_000) + "x",
        ]
    )
    func `text of another form is ignored`(text: String) {
        #expect(RetryAfter(text, now: Self.now) == nil)
    }

    @Test func `no text and no clock crashes the parser`() {
        var generator = SplitMix64(seed: 3)
        let alphabet = Array("0123456789 ,-:GMTSunNov\u{0}é\t")
        let clocks: [Int64] = [Self.now, 0, -1, .min, .max]
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...32, using: &generator)
            let text = String((0..<length).map { _ in alphabet.randomElement(using: &generator) ?? " " })
            let now = clocks.randomElement(using: &generator) ?? 0
            if let parsed = RetryAfter(text, now: now) { #expect(parsed.delay >= 0) }
        }
        #expect(RetryAfter("\(Int64.max)", now: -1)?.delay == .max)
        #expect(RetryAfter("5", now: .max)?.delay == 0)
    }
}
