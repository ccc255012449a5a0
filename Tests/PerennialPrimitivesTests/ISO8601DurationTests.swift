import PerennialPrimitives
import Testing

@Suite struct `An ISO 8601 duration` {
    @Test func `has a number for each unit`() throws {
        let duration = try #require(ISO8601Duration("P1Y2M3W4DT5H6M7S", numberMax: 9))
        #expect([duration.years, duration.months, duration.weeks, duration.days] == [1, 2, 3, 4])
        #expect([duration.hours, duration.minutes, duration.seconds] == [5, 6, 7])
    }

    @Test func `tells months from minutes`() throws {
        let duration = try #require(ISO8601Duration("P010MT20M", numberMax: 20))
        #expect(duration.months == 10 && duration.minutes == 20)
    }

    @Test(arguments: [
        "", "P", "PT", "P1", "1D", "P1DT", "P1D1M", "P1H", "PT1D", "P-1D", "P+1D", "P1.5D", "P1d", "p1D", "P101D",
        "P99999999999999999999D", "P1MT1M1H", "P1D5", "P١D", "PTT1H", "PT1HT1M", "P1Y2Y", "PD", " P1D", "P1D ",
    ])
    func `is whole numbers with their units in order`(text: String) {
        #expect(ISO8601Duration(text, numberMax: 100) == nil)
    }
}
