import SubscriptionCore
import Testing

/// What is told of a purchase, and in which words.
@Suite
struct `The name of a purchase` {
    private func first(_ kind: SubscriptionEvent.Kind?, _ change: (inout TransactionFact) -> Void) -> [SubscriptionEvent
        .Kind]
    {
        let transaction = Example.period(3, change)
        var listener = Listener()
        let name = kind.map { PurchaseName(transactionID: transaction.id, kind: $0) }
        return listener.hears([.transaction(transaction)], at: Example.day(91), named: name)
    }

    @Test func `is the store's where the transaction is the first that is known`() {
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

    @Test func `is that of a recovery where a failed charge is known, whatever the store calls it`() {
        var listener = Listener()
        let failed = Example.renewal(inPeriod: 0, signedAt: Example.day(30)) { $0.isInBillingRetry = true }
        _ = listener.hears([.transaction(Example.period(0)), .renewal(failed)], at: Example.day(31))
        let paid = Example.period(1)
        let name = PurchaseName(transactionID: paid.id, kind: .renewed)
        #expect(listener.hears([.transaction(paid)], at: Example.day(32), named: name) == [.recovered])
    }

    @Test func `names that transaction and no other, and a first one is always a start`() {
        var listener = Listener()
        let name = PurchaseName(transactionID: Example.period(1).id, kind: .recovered)
        let facts = [Example.period(0), Example.period(1), Example.period(2)].map(Fact.transaction)
        #expect(listener.hears(facts, at: Example.day(61), named: name) == [.started, .recovered, .renewed])
        var other = Listener()
        let start = PurchaseName(transactionID: Example.period(0).id, kind: .renewed)
        #expect(other.hears([.transaction(Example.period(0))], at: Example.day(1), named: start) == [.started])
    }

    @Test func `seats that are bought for the running period are told as such`() {
        var listener = Listener()
        _ = listener.hears([.transaction(Example.period(0))], at: Example.day(1))
        let seats = Example.period(1) { fact in
            fact.isRenewal = false
            fact.purchasedAt = Example.day(10)
            fact.expiresAt = Example.day(30)
        }
        #expect(listener.hears([.transaction(seats)], at: Example.day(10)) == [.seatsAdded])
        let again = Example.period(2) { fact in
            fact.isRenewal = false
            fact.purchasedAt = Example.day(11)
            fact.expiresAt = Example.day(31)
        }
        #expect(listener.hears([.transaction(again)], at: Example.day(11)) == [.resubscribed])
    }
}

@Suite
struct `What is known of the next period` {
    private func state(at now: Timestamp, _ change: (inout RenewalFact) -> Void) -> SubscriptionState? {
        let record = Example.renewal(inPeriod: 0, signedAt: Example.day(1), change)
        return Example.state([.transaction(Example.period(0)), .renewal(record)], at: now)
    }

    @Test func `its price and its offer are the record's while it renews`() {
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

    @Test func `one that is charged already has its own price and offer`() {
        let early = Example.period(1) { fact in
            fact.signedAt = Example.day(29)
            fact.price = Money(milliunits: 1_990, currency: "USD")
        }
        let record = Example.renewal(inPeriod: 0) { $0.offer = Offer(kind: .promotional) }
        let facts: [Fact] = [.transaction(Example.period(0)), .transaction(early), .renewal(record)]
        let next = Example.state(facts, at: Example.day(29))?.nextPeriod
        #expect(next?.price?.milliunits == 1_990 && next?.offer == nil)
    }

    @Test func `until when a late renewal is awaited is said while it is`() {
        #expect(state(at: Example.day(29)) { _ in }?.nextPeriod.awaitedUntil == nil)
        #expect(state(at: Example.day(30, hours: 1)) { _ in }?.nextPeriod.awaitedUntil == Example.day(30, hours: 2))
        #expect(state(at: Example.day(30, hours: 2)) { _ in }?.nextPeriod.awaitedUntil == nil)
    }
}

@Suite
struct `The prices in events` {
    private let first = Fact.transaction(Example.period(0))

    private func record(on day: Int, price: Int64, accepted: Bool?) -> Fact {
        .renewal(
            Example.renewal(inPeriod: 0, signedAt: Example.day(day)) { fact in
                fact.renewalPrice = Money(milliunits: price, currency: "USD")
                fact.priceIncreaseAccepted = accepted
            }
        )
    }

    @Test func `an increase names the old price and the new one`() {
        let prices = ["old_price": "9990", "new_price": "12990", "currency": "USD"]
        var listener = Listener()
        _ = listener.hears([first, record(on: 0, price: 9_990, accepted: nil)], at: Example.day(1))
        let asked = listener.events([record(on: 5, price: 12_990, accepted: false)], at: Example.day(5))
        #expect(asked.map(\.kind) == [.priceIncreasePending] && asked.map(\.details) == [prices])
        // The record before names the new price already: what the running period cost is the old one.
        let agreed = listener.events([record(on: 6, price: 12_990, accepted: true)], at: Example.day(6))
        #expect(agreed.map(\.kind) == [.priceIncreaseAccepted] && agreed.map(\.details) == [prices])
        #expect((asked + agreed).allSatisfy { $0.price == nil }, "an announced price is no revenue")
    }

    @Test func `a price that is stated anew names both, with both currencies where they differ`() {
        var listener = Listener()
        _ = listener.hears([.transaction(Example.period(0) { $0.price = nil })], at: Example.day(1))
        func stated(_ milliunits: Int64, _ currency: String, on day: Int) -> [SubscriptionEvent] {
            let fact = Example.period(0) { fact in
                fact.price = Money(milliunits: milliunits, currency: currency)
                fact.signedAt = Example.day(day)
            }
            return listener.events([.transaction(fact)], at: Example.day(day))
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
