import SubscriptionCore
import Testing

/// A server that was down reports events late, with the time at which they occurred.
@Suite struct `The time of an event` {
    private let first = Fact.transaction(Example.period(0))

    private func record(on day: Int, _ change: (inout RenewalFact) -> Void = { _ in }) -> Fact {
        .renewal(Example.renewal(inPeriod: 0, signedAt: Example.day(day), change))
    }

    private func failed(on day: Int, grace: Timestamp? = nil) -> Fact {
        record(on: day) { fact in
            fact.isInBillingRetry = true
            fact.expirationReason = .billingError
            fact.graceExpiresAt = grace
        }
    }

    private func described(_ events: [SubscriptionEvent]) -> [String] {
        events.map { "\($0.kind.rawValue) \(($0.occurredAt.milliseconds - Example.day(0).milliseconds) / 3_600_000)" }
    }

    private let day = 24

    @Test func `is the end of the period for an expiration by the clock, whenever it is reported`() {
        var recorder = EventRecorder()
        _ = recorder.kinds([first, record(on: 1) { $0.autoRenew = false }], at: Example.day(1))
        #expect(described(recorder.events([], at: Example.day(45))) == ["subscription.expired \(30 * day)"])
    }

    @Test func `is the end of the leeway for a missing renewal`() {
        var recorder = EventRecorder()
        _ = recorder.kinds([first, record(on: 1)], at: Example.day(1))
        #expect(described(recorder.events([], at: Example.day(45))) == ["subscription.expired \(30 * day + 2)"])
    }

    @Test func `is the end of the period or of the grace period for billing retry`() {
        var recorder = EventRecorder()
        _ = recorder.kinds([first], at: Example.day(1))
        #expect(
            described(recorder.events([failed(on: 30)], at: Example.day(45))) == [
                "subscription.entered_billing_retry \(30 * day)"
            ]
        )
        var other = EventRecorder()
        _ = other.kinds([first, failed(on: 30, grace: Example.day(46))], at: Example.day(31))
        #expect(described(other.events([], at: Example.day(60))) == ["subscription.entered_billing_retry \(46 * day)"])
    }

    @Test func `is the cancellation for a subscription that is cancelled during billing retry`() {
        var recorder = EventRecorder()
        _ = recorder.kinds([first, failed(on: 30)], at: Example.day(31))
        let cancelled = record(on: 40) { fact in
            fact.autoRenew = false
            fact.expirationReason = .cancelled
        }
        #expect(
            described(recorder.events([cancelled], at: Example.day(50)))
                == ["subscription.auto_renew_off \(40 * day)", "subscription.expired \(40 * day)"]
        )
    }

    @Test(arguments: [true, false])
    func `is the signing of the status if the store stops retrying, with or without a known failure`(isKnown: Bool) {
        var recorder = EventRecorder()
        if isKnown { _ = recorder.kinds([first, failed(on: 30)], at: Example.day(31)) }
        let over = record(on: 90) { $0.expirationReason = .billingError }
        let status = Fact.status(Example.status(.expired, signedAt: Example.day(90)))
        let events = recorder.events([first, over, status], at: Example.day(200)).filter { $0.kind == .expired }
        #expect(described(events) == ["subscription.expired \(90 * day)"])
    }

    @Test func `is not changed by a record that was signed long after the end`() {
        var recorder = EventRecorder()
        let over = record(on: 200) { $0.expirationReason = .billingError }
        let events = recorder.events([first, over], at: Example.day(201)).filter { $0.kind == .expired }
        #expect(described(events) == ["subscription.expired \(90 * day)"])
        var other = EventRecorder()
        let cancelled = record(on: 200) { $0.expirationReason = .cancelled }
        let ends = other.events([first, cancelled], at: Example.day(201)).filter { $0.kind == .expired }
        #expect(described(ends) == ["subscription.expired \(30 * day)"])
    }

    @Test func `is the end of billing retry if nothing is reported`() {
        var recorder = EventRecorder()
        _ = recorder.kinds([first, failed(on: 30)], at: Example.day(31))
        #expect(described(recorder.events([], at: Example.day(120))) == ["subscription.expired \(90 * day + 2)"])
    }

    @Test func `is the signing of the status that ends a running period`() {
        var recorder = EventRecorder()
        _ = recorder.kinds([first], at: Example.day(1))
        let status = Fact.status(Example.status(.expired, signedAt: Example.day(7)))
        #expect(described(recorder.events([status], at: Example.day(9))) == ["subscription.expired \(7 * day)"])
        var other = EventRecorder()
        _ = other.kinds([first], at: Example.day(1))
        let taken = Fact.status(Example.status(.revoked, signedAt: Example.day(7)))
        #expect(described(other.events([taken], at: Example.day(9))) == ["subscription.revoked \(7 * day)"])
    }

    @Test func `is the signing of the status if only a status reports a failed charge`() {
        var recorder = EventRecorder()
        _ = recorder.kinds([first], at: Example.day(1))
        let status = Fact.status(Example.status(.inBillingRetry, signedAt: Example.day(30, hours: 1)))
        #expect(
            described(recorder.events([status], at: Example.day(33)))
                == ["subscription.entered_billing_retry \(30 * day + 1)"]
        )
    }

    @Test func `is the upgrade for the unused part of a period`() {
        var recorder = EventRecorder()
        _ = recorder.kinds([first], at: Example.day(1))
        let upgrade = Example.period(1) { fact in
            fact.purchasedAt = Example.day(10)
            fact.signedAt = Example.day(10)
            fact.productID = Example.yearly
            fact.isRenewal = false
        }
        #expect(
            described(recorder.events([.transaction(upgrade)], at: Example.day(12)))
                == [
                    "subscription.prorated \(10 * day)", "subscription.upgraded \(10 * day)",
                    "subscription.plan_changed \(10 * day)",
                ]
        )
    }

    @Test(arguments: Array<UInt64>(1...60))
    func `is never later than the report`(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        var recorder = EventRecorder()
        var now = Example.day(60)
        for _ in 0..<12 {
            now = now.adding(milliseconds: Int64.random(in: 0...3_000_000_000, using: &random.generator))
            for event in recorder.events(random.facts(2), at: now) {
                #expect(event.occurredAt <= now, "seed \(seed): \(event.kind)")
            }
        }
    }
}
