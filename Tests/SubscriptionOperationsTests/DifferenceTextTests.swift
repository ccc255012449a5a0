import SubscriptionCore
import Testing

@testable import SubscriptionOperations

/// What an operator reads about a stored value that differs from the derived one.
@Suite struct `Texts about differences` {
    private struct State {
        struct Period {
            var price: Money?
            var offers: [String] = []
        }

        var endsAt = Timestamp(milliseconds: 1_770_454_800_000)
        var period: Period? = Period()
    }

    @Test func `name only the members that differ, also members of members`() {
        var stored = State()
        stored.period = nil
        var derived = State(endsAt: Timestamp(milliseconds: 1_770_454_800_001))
        derived.period?.price = Money(milliunits: 9_990, currency: "USD")
        let texts = DifferenceText.members(stored: stored, derived: derived)
        #expect(
            texts.stored == """
                endsAt: 7 February 2026, 09:00 UTC (1770454800000), period.price: none, period.offers: none
                """
        )
        #expect(
            texts.derived == """
                endsAt: 7 February 2026, 09:00 UTC (1770454800001), period.price: 9990 thousandths of USD, \
                period.offers: []
                """
        )
    }

    @Test func `name all members of a value if the other one is absent`() {
        let texts = DifferenceText.members(stored: State(), derived: nil)
        #expect(texts.stored == "endsAt: 7 February 2026, 09:00 UTC (1770454800000), period.offers: []")
        #expect(texts.derived == nil)
    }

    @Test func `say in words that a state is absent`() {
        let texts = DifferenceText.states(stored: nil, derived: nil)
        #expect(texts.stored == "no state stored")
        #expect(texts.derived == "none derived")
    }

    @Test func `tell an absent value from one that is there`() {
        let texts = DifferenceText.members(stored: nil, derived: Timestamp(milliseconds: 0))
        #expect(texts.stored == nil)
        #expect(texts.derived == "1 January 1970, 00:00 UTC (0)")
    }
}
