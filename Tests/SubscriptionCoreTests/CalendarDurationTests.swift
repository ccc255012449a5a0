import Foundation
import SubscriptionCore
import Testing

@Suite struct `Calendar durations` {
    @Test(arguments: [
        ("P1D", 0, 1, 0), ("P2W", 0, 14, 0), ("P1M", 1, 0, 0), ("P1Y", 12, 0, 0), ("P1Y2M3W4D", 14, 25, 0),
        ("PT1H", 0, 0, 3600), ("PT1H2M3S", 0, 0, 3723), ("P1DT12H", 0, 1, 43_200),
        ("P100000D", 0, 100_000, 0), ("P100000YT100000H", 1_200_000, 0, 360_000_000),
    ])
    func `are parsed`(text: String, months: Int, days: Int, seconds: Int) throws {
        let duration = try #require(CalendarDuration(text))
        #expect(duration.months == months)
        #expect(duration.days == days)
        #expect(duration.seconds == seconds)
    }

    @Test(arguments: [
        "", "P", "PT", "P1", "1D", "P1DT", "P1D1M", "P1H", "PT1D", "P-1D", "P+1D", "P1.5D", "P0D", "P1d", "p1D", "P1D ",
        "P100001D", "P99999999999999999999D", "P1MT1M1H", "P1D5", "P١D", "PTT1H",
        "P1Y2Y", "PT1S1S",
    ])
    func `that are invalid are rejected`(text: String) {
        #expect(CalendarDuration(text) == nil)
    }

    @Test(arguments: [
        ("2026-01-31T09:00:00Z", "P1M", "2026-02-28T09:00:00Z"),
        ("2028-01-31T09:00:00Z", "P1M", "2028-02-29T09:00:00Z"),
        ("2100-01-31T09:00:00Z", "P1M", "2100-02-28T09:00:00Z"),
        ("2026-01-31T09:00:00Z", "P1M1D", "2026-03-01T09:00:00Z"),
        ("2026-11-30T23:59:59Z", "P3M", "2027-02-28T23:59:59Z"),
        ("2024-02-29T00:00:00Z", "P1Y", "2025-02-28T00:00:00Z"),
        ("1969-12-31T23:00:00Z", "PT1H", "1970-01-01T00:00:00Z"),
        ("1600-02-29T12:00:00Z", "P400Y", "2000-02-29T12:00:00Z"),
    ])
    func `keep the day of the month if the month has that day`(start: String, text: String, end: String) throws {
        let start = try #require(ISO8601DateFormatter().date(from: start))
        let end = try #require(ISO8601DateFormatter().date(from: end))
        let duration = try #require(CalendarDuration(text))
        let result = Timestamp(milliseconds: Int64(start.timeIntervalSince1970) * 1000 + 123).adding(duration)
        #expect(result == Timestamp(milliseconds: Int64(end.timeIntervalSince1970) * 1000 + 123))
    }

    @Test func `agree with Foundation's calendar on every day of 40 years`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        let duration = try #require(CalendarDuration("P7M"))
        for day in Int64(-7_000)..<7_600 {
            let start = Timestamp(milliseconds: day * 86_400_000)
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let expected = try #require(calendar.date(byAdding: .month, value: 7, to: date))
            #expect(start.adding(duration).milliseconds == Int64(expected.timeIntervalSince1970) * 1000)
        }
    }

    @Test func `never overflow the range of timestamps`() throws {
        let duration = try #require(CalendarDuration("P100000Y"))
        #expect(Timestamp(milliseconds: .max).adding(duration) == Timestamp(milliseconds: .max))
        #expect(Timestamp(milliseconds: .min).adding(duration) > Timestamp(milliseconds: .min))
        // The earliest timestamp is in the middle of a day. The start of that day is out of range.
        let second = try #require(CalendarDuration("PT1S"))
        #expect(Timestamp(milliseconds: .min).adding(second) < Timestamp(milliseconds: 0))
        #expect(Timestamp(milliseconds: .max).adding(second) == Timestamp(milliseconds: .max))
    }
}
