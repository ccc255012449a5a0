import AppStoreModel
import Foundation
import Testing

@testable import LocalAppStore

@Suite struct `The store's calendar` {
    @Test(arguments: [
        ("P1M", "2026-01-31", 1, "2026-02-28"),
        ("P1M", "2026-01-31", 2, "2026-03-31"),
        ("P1M", "2026-01-31", 3, "2026-04-30"),
        ("P1M", "2026-01-31", 13, "2027-02-28"),
        ("P1M", "2028-01-31", 1, "2028-02-29"),
        ("P1M", "2026-12-15", 1, "2027-01-15"),
        ("P2M", "2025-12-31", 1, "2026-02-28"),
        ("P3M", "2025-11-30", 1, "2026-02-28"),
        ("P6M", "2026-08-31", 1, "2027-02-28"),
        ("P1Y", "2028-02-29", 1, "2029-02-28"),
        ("P1Y", "2028-02-29", 4, "2032-02-29"),
        ("P1Y", "2096-02-29", 4, "2100-02-28"),
        ("P1Y", "2026-02-28", 2, "2028-02-28"),
        ("P1W", "2026-02-26", 1, "2026-03-05"),
        ("P1W", "2028-02-26", 1, "2028-03-04"),
        ("P7D", "2026-12-29", 1, "2027-01-05"),
        ("P3D", "2026-12-30", 1, "2027-01-02"),
    ])
    func `a period counted from its anchor lands on the anchor's day or the month's last`(
        period: String,
        start: String,
        times: Int,
        end: String
    ) throws {
        let period = try #require(CalendarPeriod(iso8601: period))
        #expect(period.added(to: try at(start), times: times) == (try at(end)))
    }

    @Test func `the time of day is preserved to the millisecond`() throws {
        let start = try timestamp("2026-01-31T23:59:59Z") + 999
        let month = try #require(CalendarPeriod(iso8601: "P1M"))
        #expect(month.added(to: start) == (try timestamp("2026-02-28T23:59:59Z")) + 999)
    }

    @Test func `days are counted as the Gregorian calendar counts them, from 1586 to 2654`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for day in stride(from: -140_000, through: 250_000, by: 97) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let civil = CivilDate(daysSinceEpoch: day)
            #expect(civil.year == parts.year && civil.month == parts.month && civil.day == parts.day, "day \(day)")
            #expect(civil.daysSinceEpoch == day)
        }
    }

    @Test(arguments: [
        ("P1M", 1, 0, 0), ("P1Y", 12, 0, 0), ("P1Y6M", 18, 0, 0), ("P2W", 0, 14, 0), ("P3D", 0, 3, 0),
        ("P1M15D", 1, 15, 0), ("PT1H", 0, 0, 3_600_000), ("P1DT30M", 0, 1, 1_800_000), ("PT90S", 0, 0, 90_000),
    ])
    func `an ISO 8601 duration is read in its parts`(text: String, months: Int, days: Int, rest: Int) throws {
        let period = try #require(CalendarPeriod(iso8601: text))
        #expect(period.months == months)
        #expect(period.days == days)
        #expect(period.milliseconds == Int64(rest))
        #expect(period.iso8601 == text)
    }

    @Test(arguments: [
        "", "P", "PT", "1M", "P1", "PM", "P1M1Y", "P1M1M", "P-1M", "P1.5M", "P1H", "PT1D", "P99999D", "p1m",
    ])
    func `an invalid duration is refused`(text: String) {
        #expect(CalendarPeriod(iso8601: text) == nil)
    }

    @Test func `due items are ordered by time, and by insertion for equal times`() {
        var queue = DueQueue<Int>()
        for item in 0..<200 { queue.push(item, dueAt: Int64(item * 7_919 % 10)) }
        var taken: [(Int64, Int)] = []
        while let entry = queue.pop(dueAtOrBefore: 8) { taken.append((entry.dueAt, entry.item)) }
        #expect(taken.count == 180)
        for (left, right) in zip(taken, taken.dropFirst()) { #expect(left < right) }
        #expect(queue.first?.dueAt == 9)
    }
}
