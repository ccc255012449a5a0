import AppStoreModel
import PerennialPrimitives
import Testing

@testable import LocalAppStore

@Suite struct `Offer periods` {
    private let week = CalendarPeriod(iso8601: "P1W")
    private let month = CalendarPeriod(iso8601: "P1M")

    @Test(arguments: OfferTerms.PaymentMode.allCases, 1...12)
    func `an offer makes its periods without gap, at its price, and then the full price`(
        mode: OfferTerms.PaymentMode,
        periods: Int
    ) throws {
        let month = try #require(month)
        var generator = SplitMix64(seed: UInt64(periods))
        for _ in 0..<50 {
            let start = Int64.random(in: 0...4_000_000_000_000, using: &generator)
            let terms = OfferTerms(paymentMode: mode, period: month, numberOfPeriods: periods, price: 7)
            let sold = try sell(4, from: start, offer: GrantedOffer(type: .promotional, terms: terms), period: month)
            let offered = sold.prefix { $0.offer != nil }
            #expect(sold.first?.offer != nil)
            #expect(offered.count == min(4, terms.numberOfTransactions))
            #expect(offered.allSatisfy { $0.price == 7 })
            #expect(sold.dropFirst(offered.count).allSatisfy { $0.price == 100 && $0.offer == nil })
            if mode == .payAsYouGo {
                #expect(sold.map(\.end) == (1...4).map { month.added(to: start, times: $0) })
            } else {
                let end = month.added(to: start, times: periods)
                #expect(sold.map(\.end) == [end] + (1...3).map { month.added(to: end, times: $0) })
            }
        }
    }

    @Test func `the last pay-as-you-go period ends the offer`() throws {
        let week = try #require(week)
        let terms = OfferTerms(paymentMode: .payAsYouGo, period: week, numberOfPeriods: 3, price: 1)
        let sold = try sell(4, from: 0, offer: GrantedOffer(type: .introductory, terms: terms), period: week)
        #expect(sold.map { $0.runningOffer?.periodsLeft } == [2, 1, nil, nil])
    }

    /// Computes consecutive periods, as renewals do.
    private func sell(
        _ count: Int,
        from start: Int64,
        offer: GrantedOffer,
        period: CalendarPeriod
    ) throws -> [PeriodSale] {
        var sold: [PeriodSale] = []
        var (time, upcoming) = (start, UpcomingOffer?.some(.begins(offer)))
        var cycle = Subscription.BillingCycle(anchor: start, period: period)
        for _ in 0..<count {
            let next = PeriodSale(
                of: productId,
                from: time,
                price: 100,
                cycle: cycle,
                offer: upcoming,
                reason: .renewal
            )
            sold.append(next)
            (time, cycle) = (next.end, next.cycle)
            upcoming = next.runningOffer.map(UpcomingOffer.goesOn)
        }
        return sold
    }
}
