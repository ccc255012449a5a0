import SubscriptionCore
import Testing

/// The event kind of a purchase.
@Suite struct `The name of a purchase` {
    private func first(_ kind: SubscriptionEvent.Kind?, _ change: (inout TransactionFact) -> Void) -> [SubscriptionEvent
        .Kind]
    {
        let transaction = Example.period(3, change)
        var recorder = EventRecorder()
        let name = kind.map { PurchaseName(transactionID: transaction.id, kind: $0) }
        return recorder.kinds([.transaction(transaction)], at: Example.day(91), named: name)
    }

    @Test func `is the store's name if the transaction is the first known one`() {
        #expect(first(.upgraded) { $0.isRenewal = false } == [.upgraded])
        #expect(first(.recovered) { _ in } == [.recovered])
        #expect(first(.renewed) { _ in } == [.renewed])
        // Older payloads do not say whether the store renewed it.
        #expect(first(.renewed) { $0.isRenewal = false } == [.renewed])
        #expect(first(.recovered) { $0.isRenewal = false } == [.recovered])
        #expect(first(.resubscribed) { $0.isRenewal = false } == [.resubscribed])
        #expect(first(nil) { $0.isRenewal = false } == [.resubscribed])
        #expect(first(nil) { _ in } == [.renewed])
    }

    @Test func `is recovered after a known failed charge, regardless of the store's name`() {
        var recorder = EventRecorder()
        let failed = Example.renewal(inPeriod: 0, signedAt: Example.day(30)) { $0.isInBillingRetry = true }
        _ = recorder.kinds([.transaction(Example.period(0)), .renewal(failed)], at: Example.day(31))
        let paid = Example.period(1)
        let name = PurchaseName(transactionID: paid.id, kind: .renewed)
        #expect(recorder.kinds([.transaction(paid)], at: Example.day(32), named: name) == [.recovered])
    }

    @Test func `applies to one transaction only, and the first transaction is always a start`() {
        var recorder = EventRecorder()
        let name = PurchaseName(transactionID: Example.period(1).id, kind: .recovered)
        let facts = [Example.period(0), Example.period(1), Example.period(2)].map(Fact.transaction)
        #expect(recorder.kinds(facts, at: Example.day(61), named: name) == [.started, .recovered, .renewed])
        var other = EventRecorder()
        let start = PurchaseName(transactionID: Example.period(0).id, kind: .renewed)
        #expect(other.kinds([.transaction(Example.period(0))], at: Example.day(1), named: start) == [.started])
    }

    @Test func `is seatsAdded for seats that are bought during a period`() {
        var recorder = EventRecorder()
        _ = recorder.kinds([.transaction(Example.period(0))], at: Example.day(1))
        let seats = Example.period(1) { fact in
            fact.isRenewal = false
            fact.purchasedAt = Example.day(10)
            fact.expiresAt = Example.day(30)
        }
        #expect(recorder.kinds([.transaction(seats)], at: Example.day(10)) == [.seatsAdded])
        let again = Example.period(2) { fact in
            fact.isRenewal = false
            fact.purchasedAt = Example.day(11)
            fact.expiresAt = Example.day(31)
        }
        #expect(recorder.kinds([.transaction(again)], at: Example.day(11)) == [.resubscribed])
    }
}

@Suite struct `The next period of a state` {
    private func state(at now: Timestamp, _ change: (inout RenewalFact) -> Void) -> SubscriptionState? {
        let record = Example.renewal(inPeriod: 0, signedAt: Example.day(1), change)
        return Example.state([.transaction(Example.period(0)), .renewal(record)], at: now)
    }

    @Test func `has the price and the offer of the record while renewal is on`() {
        let offer = Offer(kind: .winBack, payment: .payAsYouGo, identifier: "back")
        let next = state(at: Example.day(2)) { fact in
            fact.renewalPrice = Money(milliunits: 12_990, currency: "USD")
            fact.offer = offer
        }?.nextPeriod
        #expect(next?.price?.milliunits == 12_990 && next?.offer == offer && next?.awaitedUntil == nil)
        let ended = state(at: Example.day(31)) { fact in
            fact.autoRenew = false
            fact.offer = offer
            fact.winBackOfferIDs = ["b", "a"]
        }?.nextPeriod
        #expect(ended == SubscriptionState.NextPeriod(winBackOfferIDs: ["b", "a"]))
        #expect(state(at: Example.day(2)) { $0.autoRenew = false }?.nextPeriod.price == nil)
    }

    @Test func `has its own price and offer once it is charged`() {
        let early = Example.period(1) { fact in
            fact.signedAt = Example.day(29)
            fact.price = Money(milliunits: 1_990, currency: "USD")
        }
        let record = Example.renewal(inPeriod: 0) { $0.offer = Offer(kind: .promotional) }
        let facts: [Fact] = [.transaction(Example.period(0)), .transaction(early), .renewal(record)]
        let next = Example.state(facts, at: Example.day(29))?.nextPeriod
        #expect(next?.price?.milliunits == 1_990 && next?.offer == nil)
    }

    @Test func `has the end of the wait while a late renewal is awaited`() {
        #expect(state(at: Example.day(29)) { _ in }?.nextPeriod.awaitedUntil == nil)
        #expect(state(at: Example.day(30, hours: 1)) { _ in }?.nextPeriod.awaitedUntil == Example.day(30, hours: 2))
        #expect(state(at: Example.day(30, hours: 2)) { _ in }?.nextPeriod.awaitedUntil == nil)
    }
}

@Suite struct `Prices in events` {
    private let first = Fact.transaction(Example.period(0))

    private func record(on day: Int, price: Int64, accepted: Bool?) -> Fact {
        .renewal(
            Example.renewal(inPeriod: 0, signedAt: Example.day(day)) { fact in
                fact.renewalPrice = Money(milliunits: price, currency: "USD")
                fact.priceIncreaseAccepted = accepted
            }
        )
    }

    @Test func `of an increase are the old price and the new price`() {
        let prices = ["old_price": "9990", "new_price": "12990", "currency": "USD"]
        var recorder = EventRecorder()
        _ = recorder.kinds([first, record(on: 0, price: 9_990, accepted: nil)], at: Example.day(1))
        let asked = recorder.events([record(on: 5, price: 12_990, accepted: false)], at: Example.day(5))
        #expect(asked.map(\.kind) == [.priceIncreasePending] && asked.map(\.details) == [prices])
        // The previous record contains the new price already. The old price is that of the current period.
        let agreed = recorder.events([record(on: 6, price: 12_990, accepted: true)], at: Example.day(6))
        #expect(agreed.map(\.kind) == [.priceIncreaseAccepted] && agreed.map(\.details) == [prices])
        #expect((asked + agreed).allSatisfy { $0.price == nil }, "an announced price is not revenue")
    }

    @Test func `of a corrected price are both prices, with both currencies if they differ`() {
        var recorder = EventRecorder()
        _ = recorder.kinds([.transaction(Example.period(0) { $0.price = nil })], at: Example.day(1))
        func stated(_ milliunits: Int64, _ currency: String, on day: Int) -> [SubscriptionEvent] {
            let fact = Example.period(0) { fact in
                fact.price = Money(milliunits: milliunits, currency: currency)
                fact.signedAt = Example.day(day)
            }
            return recorder.events([.transaction(fact)], at: Example.day(day))
        }
        #expect(stated(9_990, "USD", on: 2).map(\.details) == [["new_price": "9990", "currency": "USD"]])
        let moved = ["old_price": "9990", "old_currency": "USD", "new_price": "8990", "currency": "EUR"]
        #expect(stated(8_990, "EUR", on: 3).map(\.details) == [moved, moved])
        #expect(
            stated(7_990, "EUR", on: 4).map(\.details) == [
                ["old_price": "8990", "new_price": "7990", "currency": "EUR"]
            ]
        )
    }
}
