import SubscriptionCore
import Testing

/// The events of facts that arrive one after another: one line per arrival.
@Suite struct `The sequence of events` {
    private func record(
        _ period: Int,
        on day: Int,
        _ change: (inout RenewalFact) -> Void = { _ in }
    ) -> Fact {
        .renewal(Example.renewal(inPeriod: period, signedAt: Example.day(day), change))
    }

    @Test func `covers a year of a subscription`() {
        var recorder = EventRecorder()
        #expect(recorder.kinds([.transaction(Example.period(0)), record(0, on: 0)], at: Example.day(0)) == [.started])
        #expect(
            recorder.kinds([.transaction(Example.period(1)), record(1, on: 30)], at: Example.day(30)) == [.renewed]
        )
        #expect(recorder.kinds([record(1, on: 35) { $0.autoRenew = false }], at: Example.day(35)) == [.autoRenewOff])
        #expect(recorder.kinds([record(1, on: 36)], at: Example.day(36)) == [.autoRenewOn])
        let failed = record(1, on: 60) { fact in
            fact.isInBillingRetry = true
            fact.graceExpiresAt = Example.day(76)
        }
        #expect(recorder.kinds([failed], at: Example.day(60)) == [.enteredGracePeriod])
        #expect(recorder.kinds([], at: Example.day(76)) == [.enteredBillingRetry])
        #expect(
            recorder.kinds([.transaction(Example.period(3)), record(3, on: 90)], at: Example.day(90)) == [.recovered]
        )
        let ended = record(3, on: 120) { fact in
            fact.autoRenew = false
            fact.expirationReason = .cancelled
        }
        #expect(recorder.kinds([ended], at: Example.day(120)) == [.autoRenewOff, .expired])
        let again = Example.period(5) { $0.isRenewal = false }
        #expect(
            recorder.kinds([.transaction(again), record(5, on: 150)], at: Example.day(150))
                == [.resubscribed, .autoRenewOn]
        )
    }

    @Test func `does not change with duplicate facts`() {
        var recorder = EventRecorder()
        let facts: [Fact] = [.transaction(Example.period(0)), record(0, on: 0)]
        _ = recorder.kinds(facts, at: Example.day(1))
        #expect(recorder.kinds(facts, at: Example.day(1)) == [])
    }

    @Test func `contains one expiration at the end, without new facts`() {
        var recorder = EventRecorder()
        _ = recorder.kinds(
            [.transaction(Example.period(0)), record(0, on: 1) { $0.autoRenew = false }],
            at: Example.day(1)
        )
        #expect(recorder.kinds([], at: Example.day(29)) == [])
        #expect(recorder.kinds([], at: Example.day(30)) == [.expired])
        #expect(recorder.kinds([], at: Example.day(31)) == [])
    }

    @Test func `contains a refund and its reversal with their amounts`() throws {
        var recorder = EventRecorder()
        _ = recorder.kinds([.transaction(Example.period(0))], at: Example.day(1))
        let refunded = Example.period(0) { fact in
            fact.revocation = Revocation(at: Example.day(2), kind: .refund)
            fact.signedAt = Example.day(2)
        }
        let refund = try #require(recorder.events([.transaction(refunded)], at: Example.day(2)).first)
        #expect(refund.kind == .refunded)
        #expect(refund.price == Money(milliunits: -9_990, currency: "USD"))
        #expect(refund.occurredAt == Example.day(2))
        let reversed = Example.period(0) { $0.signedAt = Example.day(3) }
        let reversal = try #require(recorder.events([.transaction(reversed)], at: Example.day(3)).first)
        #expect(reversal.kind == .refundReversed)
        #expect(reversal.price == Example.price)
    }

    @Test func `has no amounts for the end and the return of sharing`() {
        var recorder = EventRecorder()
        let shared = Example.period(0) { $0.ownership = .familyShared }
        #expect(recorder.events([.transaction(shared)], at: Example.day(1)).map(\.price) == [nil])
        var ended = shared
        ended.revocation = Revocation(at: Example.day(2), kind: .sharingEnded)
        ended.signedAt = Example.day(2)
        let events = recorder.events([.transaction(ended)], at: Example.day(2))
        #expect(events.map(\.kind) == [.revoked])
        #expect(events.map(\.price) == [nil])
        var back = shared
        back.signedAt = Example.day(3)
        #expect(recorder.events([.transaction(back)], at: Example.day(3)).map(\.price) == [nil])
    }

    @Test func `contains an extension`() {
        var recorder = EventRecorder()
        _ = recorder.kinds([.transaction(Example.period(0))], at: Example.day(1))
        let extended = Example.period(0) { fact in
            fact.expiresAt = Example.day(40)
            fact.signedAt = Example.day(2)
        }
        #expect(recorder.kinds([.transaction(extended)], at: Example.day(2)) == [.extended])
    }

    @Test func `contains a plan change when it is scheduled and when it happens`() {
        var recorder = EventRecorder()
        _ = recorder.kinds([.transaction(Example.period(0)), record(0, on: 0)], at: Example.day(1))
        let scheduled = record(0, on: 5) { $0.nextProductID = Example.yearly }
        #expect(recorder.kinds([scheduled], at: Example.day(5)) == [.planChangeScheduled])
        let changed = Example.period(1) { $0.productID = Example.yearly }
        let present = record(1, on: 30) { fact in
            fact.productID = Example.yearly
            fact.nextProductID = Example.yearly
        }
        #expect(recorder.kinds([.transaction(changed), present], at: Example.day(30)) == [.renewed, .planChanged])
    }

    @Test func `contains a price increase when it is pending and when it is accepted`() {
        var recorder = EventRecorder()
        _ = recorder.kinds([.transaction(Example.period(0)), record(0, on: 0)], at: Example.day(1))
        let asked = record(0, on: 5) { $0.priceIncreaseAccepted = false }
        #expect(recorder.kinds([asked], at: Example.day(5)) == [.priceIncreasePending])
        let agreed = record(0, on: 6) { $0.priceIncreaseAccepted = true }
        #expect(recorder.kinds([agreed], at: Example.day(6)) == [.priceIncreaseAccepted])
    }

    @Test func `contains a one-time purchase, its refund and the reversal`() {
        let bought = Example.oneTime(.nonConsumable)
        var recorder = EventRecorder(bought.originalID)
        #expect(recorder.kinds([.transaction(bought)], at: Example.day(1)) == [.purchaseMade])
        var taken = bought
        taken.revocation = Revocation(at: Example.day(2), kind: .refund)
        taken.signedAt = Example.day(2)
        #expect(recorder.kinds([.transaction(taken)], at: Example.day(2)) == [.purchaseRefunded])
        var back = bought
        back.signedAt = Example.day(3)
        #expect(recorder.kinds([.transaction(back)], at: Example.day(3)) == [.purchaseRefundReversed])
    }
}
