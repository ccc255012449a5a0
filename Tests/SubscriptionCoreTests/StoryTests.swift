import SubscriptionCore
import Testing

/// What is told when facts arrive one after another, as transcripts: a line per arrival.
@Suite
struct `The story that events tell` {
    private func record(
        _ period: Int,
        on day: Int,
        _ change: (inout RenewalFact) -> Void = { _ in }
    ) -> Fact {
        .renewal(Example.renewal(inPeriod: period, signedAt: Example.day(day), change))
    }

    @Test func `a year in the life of a subscription`() {
        var listener = Listener()
        #expect(listener.hears([.transaction(Example.period(0)), record(0, on: 0)], at: Example.day(0)) == [.started])
        #expect(
            listener.hears([.transaction(Example.period(1)), record(1, on: 30)], at: Example.day(30)) == [.renewed]
        )
        #expect(listener.hears([record(1, on: 35) { $0.autoRenew = false }], at: Example.day(35)) == [.autoRenewOff])
        #expect(listener.hears([record(1, on: 36)], at: Example.day(36)) == [.autoRenewOn])
        let failed = record(1, on: 60) { fact in
            fact.isInBillingRetry = true
            fact.graceExpiresAt = Example.day(76)
        }
        #expect(listener.hears([failed], at: Example.day(60)) == [.enteredGracePeriod])
        #expect(listener.hears([], at: Example.day(76)) == [.enteredBillingRetry])
        #expect(
            listener.hears([.transaction(Example.period(3)), record(3, on: 90)], at: Example.day(90)) == [.recovered]
        )
        let ended = record(3, on: 120) { fact in
            fact.autoRenew = false
            fact.expirationReason = .cancelled
        }
        #expect(listener.hears([ended], at: Example.day(120)) == [.autoRenewOff, .expired])
        let again = Example.period(5) { $0.isRenewal = false }
        #expect(
            listener.hears([.transaction(again), record(5, on: 150)], at: Example.day(150))
                == [.resubscribed, .autoRenewOn]
        )
    }

    @Test func `a second copy of anything tells nothing`() {
        var listener = Listener()
        let facts: [Fact] = [.transaction(Example.period(0)), record(0, on: 0)]
        _ = listener.hears(facts, at: Example.day(1))
        #expect(listener.hears(facts, at: Example.day(1)) == [])
    }

    @Test func `time alone tells the end, and tells it once`() {
        var listener = Listener()
        _ = listener.hears(
            [.transaction(Example.period(0)), record(0, on: 1) { $0.autoRenew = false }],
            at: Example.day(1)
        )
        #expect(listener.hears([], at: Example.day(29)) == [])
        #expect(listener.hears([], at: Example.day(30)) == [.expired])
        #expect(listener.hears([], at: Example.day(31)) == [])
    }

    @Test func `a refund is told with the money, and so is its reversal`() throws {
        var listener = Listener()
        _ = listener.hears([.transaction(Example.period(0))], at: Example.day(1))
        let refunded = Example.period(0) { fact in
            fact.revocation = Revocation(at: Example.day(2), kind: .refund)
            fact.signedAt = Example.day(2)
        }
        let refund = try #require(listener.events([.transaction(refunded)], at: Example.day(2)).first)
        #expect(refund.kind == .refunded)
        #expect(refund.price == Money(milliunits: -9_990, currency: "USD"))
        #expect(refund.occurredAt == Example.day(2))
        let reversed = Example.period(0) { $0.signedAt = Example.day(3) }
        let reversal = try #require(listener.events([.transaction(reversed)], at: Example.day(3)).first)
        #expect(reversal.kind == .refundReversed)
        #expect(reversal.price == Example.price)
    }

    @Test func `the end of sharing moves no money, nor does its return`() {
        var listener = Listener()
        let shared = Example.period(0) { $0.ownership = .familyShared }
        #expect(listener.events([.transaction(shared)], at: Example.day(1)).map(\.price) == [nil])
        var ended = shared
        ended.revocation = Revocation(at: Example.day(2), kind: .sharingEnded)
        ended.signedAt = Example.day(2)
        let events = listener.events([.transaction(ended)], at: Example.day(2))
        #expect(events.map(\.kind) == [.revoked])
        #expect(events.map(\.price) == [nil])
        var back = shared
        back.signedAt = Example.day(3)
        #expect(listener.events([.transaction(back)], at: Example.day(3)).map(\.price) == [nil])
    }

    @Test func `an extension is told`() {
        var listener = Listener()
        _ = listener.hears([.transaction(Example.period(0))], at: Example.day(1))
        let extended = Example.period(0) { fact in
            fact.expiresAt = Example.day(40)
            fact.signedAt = Example.day(2)
        }
        #expect(listener.hears([.transaction(extended)], at: Example.day(2)) == [.extended])
    }

    @Test func `a plan change is told when it is scheduled and when it happens`() {
        var listener = Listener()
        _ = listener.hears([.transaction(Example.period(0)), record(0, on: 0)], at: Example.day(1))
        let scheduled = record(0, on: 5) { $0.nextProductID = Example.yearly }
        #expect(listener.hears([scheduled], at: Example.day(5)) == [.planChangeScheduled])
        let changed = Example.period(1) { $0.productID = Example.yearly }
        let present = record(1, on: 30) { fact in
            fact.productID = Example.yearly
            fact.nextProductID = Example.yearly
        }
        #expect(listener.hears([.transaction(changed), present], at: Example.day(30)) == [.renewed, .planChanged])
    }

    @Test func `a price increase is told when it waits and when it is agreed to`() {
        var listener = Listener()
        _ = listener.hears([.transaction(Example.period(0)), record(0, on: 0)], at: Example.day(1))
        let asked = record(0, on: 5) { $0.priceIncreaseAccepted = false }
        #expect(listener.hears([asked], at: Example.day(5)) == [.priceIncreasePending])
        let agreed = record(0, on: 6) { $0.priceIncreaseAccepted = true }
        #expect(listener.hears([agreed], at: Example.day(6)) == [.priceIncreaseAccepted])
    }

    @Test func `a one-time purchase, its refund and its reversal are told as such`() {
        let bought = Example.oneTime(.nonConsumable)
        var listener = Listener(bought.originalID)
        #expect(listener.hears([.transaction(bought)], at: Example.day(1)) == [.purchaseMade])
        var taken = bought
        taken.revocation = Revocation(at: Example.day(2), kind: .refund)
        taken.signedAt = Example.day(2)
        #expect(listener.hears([.transaction(taken)], at: Example.day(2)) == [.purchaseRefunded])
        var back = bought
        back.signedAt = Example.day(3)
        #expect(listener.hears([.transaction(back)], at: Example.day(3)) == [.purchaseRefundReversed])
    }
}
