import SubscriptionCore
import Testing

/// When a purchase replaces another one, to the millisecond, and which amount is returned.
@Suite struct `A purchase that replaces another` {
    private func bought(
        at start: Timestamp,
        until end: Timestamp,
        _ product: ProductID = Example.yearly,
        id: String = "2000000000000008"
    ) -> TransactionFact {
        Example.period(1) { fact in
            fact.id = TransactionID(id)
            fact.productID = product
            fact.isRenewal = false
            fact.purchasedAt = start
            fact.signedAt = start
            fact.expiresAt = end
        }
    }

    /// The events of a transaction that arrives after the first ones.
    private func newEvents(_ first: [TransactionFact], _ then: TransactionFact) -> [SubscriptionEvent] {
        var recorder = EventRecorder()
        _ = recorder.events(first.map(Fact.transaction), at: Example.day(0))
        return recorder.events([.transaction(then)], at: Example.day(60))
    }

    private func kinds(_ first: [TransactionFact], _ then: TransactionFact) -> [SubscriptionEvent.Kind] {
        newEvents(first, then).map(\.kind).filter { $0 != .planChanged && $0 != .expired }
    }

    @Test func `replaces it until the last millisecond of the period`() {
        let period = Example.period(0)
        let last = bought(at: Example.day(30, milliseconds: -1), until: Example.day(400))
        #expect(kinds([period], last).contains(.upgraded))
        let next = bought(at: Example.day(30), until: Example.day(400))
        #expect(kinds([period], next) == [.resubscribed])
        #expect(kinds([period], bought(at: Example.day(31), until: Example.day(400))) == [.resubscribed])
    }

    @Test func `replaces a purchase of the same time with a smaller identifier`() throws {
        let period = Example.period(0)
        let other = bought(at: Example.day(0), until: Example.day(365))
        #expect(kinds([period], other) == [.prorated, .upgraded])
        #expect(Example.state([period, other].map(Fact.transaction), at: Example.day(1))?.productID == Example.yearly)
        let smaller = bought(at: Example.day(0), until: Example.day(20), id: "1")
        #expect(
            Example.state([period, smaller].map(Fact.transaction), at: Example.day(1))?.productID == Example.monthly
        )
    }

    @Test func `is not replaced by an earlier purchase`() {
        let first = bought(at: Example.day(11), until: Example.day(41), Example.monthly, id: "7")
        let later = bought(at: Example.day(11, hours: 12), until: Example.day(400))
        let state = Example.state([first, later].map(Fact.transaction), at: Example.day(12))
        #expect(state?.productID == Example.yearly)
    }

    @Test(arguments: [(-24, true), (-25, false)])
    func `replaces a renewal that was charged up to a day before its start`(hours: Int, isReplaced: Bool) {
        let early = Example.period(1) { $0.signedAt = Example.day(28) }
        let upgrade = bought(at: Example.day(30, hours: hours), until: Example.day(394))
        #expect((newEvents([Example.period(0), early], upgrade).count { $0.kind == .prorated } == 2) == isReplaced)
    }

    @Test func `does not replace a renewal that starts at or after its end`() {
        let early = Example.period(1) { $0.signedAt = Example.day(28) }
        for end in [Example.day(30), Example.day(29, hours: 20)] {
            let short = bought(at: Example.day(29, hours: 12), until: end)
            #expect(newEvents([Example.period(0), early], short).count { $0.kind == .prorated } == 1)
        }
    }

    @Test func `does not replace a purchase that was refunded earlier, to the millisecond`() {
        func refunded(at time: Timestamp) -> TransactionFact {
            Example.period(0) { fact in
                fact.revocation = Revocation(at: time, kind: .refund, percentage: 10_000)
                fact.signedAt = time
            }
        }
        let other = bought(at: Example.day(10), until: Example.day(400))
        #expect(kinds([refunded(at: Example.day(10, milliseconds: -1))], other) == [.resubscribed])
        let together = newEvents([refunded(at: Example.day(10))], other)
        #expect(together.first?.kind == .prorated && together.first?.price?.milliunits == -6_660)
    }

    @Test func `adds to a later partial refund, and both together return at most the price`() {
        func upgraded(_ percentage: Int?) -> TransactionFact {
            Example.period(0) { fact in
                fact.isUpgraded = true
                fact.revocation = Revocation(at: Example.day(15), kind: .refund, percentage: percentage)
                fact.signedAt = Example.day(15)
            }
        }
        let other = bought(at: Example.day(10), until: Example.day(400))
        for (percentage, kept) in [(10_000, 2_331), (50_000, 0), (100_000, 0)] as [(Int, Int64)] {
            var recorder = EventRecorder()
            let facts = [upgraded(percentage), other].map(Fact.transaction)
            let events = recorder.events(facts, at: Example.day(60)).filter { $0.transactionID == Example.period(0).id }
            #expect(events.compactMap(\.price?.milliunits).reduce(0, +) == kept)
        }
    }

    @Test func `returns the amount that the store states, if it states one`() {
        let stated = Example.period(0) { fact in
            fact.isUpgraded = true
            fact.revocation = Revocation(at: Example.day(10), kind: .proratedRefund, percentage: 50_000)
            fact.signedAt = Example.day(11)
        }
        var recorder = EventRecorder()
        let other = bought(at: Example.day(10), until: Example.day(400))
        let events = recorder.events([stated, other].map(Fact.transaction), at: Example.day(60))
        #expect(events.map(\.kind) == [.started, .refunded, .upgraded])
        #expect(events[1].price?.milliunits == -4_995)
        // After a refund without an upgrade the unused part is still computed.
        let refund = Example.period(0) { fact in
            fact.revocation = Revocation(at: Example.day(10), kind: .proratedRefund, percentage: 50_000)
            fact.signedAt = Example.day(10)
        }
        var second = EventRecorder()
        let both = second.events([refund, other].map(Fact.transaction), at: Example.day(60))
        #expect(both.map(\.kind) == [.started, .refunded, .prorated, .upgraded])
    }

    @Test func `replaces a statement that was signed at the same time, but not a later one`() {
        let other = bought(at: Example.day(10), until: Example.day(400))
        #expect(kinds([Example.period(0) { $0.signedAt = Example.day(10) }], other) == [.prorated, .upgraded])
        let later = Example.period(0) { $0.signedAt = Example.day(10, milliseconds: 1) }
        #expect(kinds([later], other) == [.resubscribed])
    }

    @Test func `returns nothing for a period without a duration or a positive price`() {
        let empty = Example.period(1) { fact in
            fact.signedAt = Example.day(29)
            fact.expiresAt = Example.day(30)
        }
        let upgrade = bought(at: Example.day(29, hours: 12), until: Example.day(394))
        #expect(newEvents([empty], upgrade).filter { $0.kind == .prorated }.isEmpty)
        let negative = Example.period(0) { $0.price = Money(milliunits: -1_000, currency: "USD") }
        #expect(newEvents([negative], upgrade).filter { $0.kind == .prorated }.isEmpty)
    }

    @Test func `adds seats only if it starts after the period and ends with it`() {
        let seats = bought(at: Example.day(0), until: Example.day(30), Example.monthly)
        #expect(kinds([Example.period(0)], seats) == [.resubscribed])
        let longer = bought(at: Example.day(10), until: Example.day(31), Example.monthly)
        #expect(kinds([Example.period(0)], longer) == [.resubscribed])
    }
}

/// Statements that differ in one property and were signed in the same millisecond.
@Suite struct `A tie between two statements` {
    private static let transactions: [@Sendable (inout TransactionFact) -> Void] = [
        { $0.isUpgraded = true }, { $0.isRenewal = true }, { $0.chargeID = "a" }, { $0.quantity = 2 },
        { $0.ownership = .assigned },
    ]

    private static let renewals: [@Sendable (inout RenewalFact) -> Void] = [
        { $0.autoRenew = false }, { $0.isInBillingRetry = true }, { $0.isCommitted = true },
        { $0.winBackOfferIDs = ["a"] },
    ]

    @Test(arguments: transactions.indices)
    func `of a transaction has one outcome in any order`(index: Int) {
        let (one, other) = (Example.period(0), Example.period(0, Self.transactions[index]))
        #expect(
            Example.ledger([.transaction(one), .transaction(other)])
                == Example.ledger([.transaction(other), .transaction(one)])
        )
    }

    @Test(arguments: renewals.indices)
    func `of a renewal record has one outcome in any order`(index: Int) {
        let (one, other) = (Example.renewal(inPeriod: 0), Example.renewal(inPeriod: 0, Self.renewals[index]))
        #expect(Example.ledger([.renewal(one), .renewal(other)]) == Example.ledger([.renewal(other), .renewal(one)]))
    }

    @Test func `of the start is resolved by the end, then by the identifier`() {
        func period(_ id: String, until day: Int) -> Fact {
            .transaction(
                Example.period(0) { fact in
                    fact.id = TransactionID(id)
                    fact.expiresAt = Example.day(day)
                }
            )
        }
        let facts = [period("9", until: 30), period("1", until: 40), period("8", until: 40)]
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            #expect(Example.ledger(order.map { facts[$0] }).timeline.map(\.id.rawValue) == ["9", "1", "8"])
        }
    }

    @Test func `a purchase gives access until its end`() {
        let running = Example.ledger([.transaction(Example.period(0))])
        #expect(running.state(at: Example.day(1), policy: Example.policy)?.givesAccess == true)
        #expect(running.state(at: Example.day(30), policy: Example.policy)?.givesAccess == false)
    }

    @Test(arguments: [(29, 30), (40, 40), (60, 60), (70, 60)])
    func `a period that a status ended ends at its signing, but not before its start`(signed: Int, end: Int) {
        let early = Example.period(1) { $0.signedAt = Example.day(29) }
        let status = Example.status(.expired, signedAt: Example.day(signed))
        #expect(
            Example.state([.transaction(early), .status(status)], at: Example.day(80))?.periodEndsAt == Example.day(end)
        )
    }
}
