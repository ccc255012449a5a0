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

    @Test func `tell an absent value from one that is there`() {
        let texts = DifferenceText.members(stored: nil, derived: Timestamp(milliseconds: 0))
        #expect(texts.stored == nil)
        #expect(texts.derived == "1 January 1970, 00:00 UTC (0)")
    }
}
