import SubscriptionCore
import Testing

/// A server that was down tells late, of the day on which it happened.
@Suite
struct `When an event occurred` {
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

    private func told(_ events: [SubscriptionEvent]) -> [String] {
        events.map { "\($0.kind.rawValue) \(($0.occurredAt.milliseconds - Example.day(0).milliseconds) / 3_600_000)" }
    }

    private let day = 24

    @Test func `an end by the clock occurred at the end of the period, whenever it is told`() {
        var listener = Listener()
        _ = listener.hears([first, record(on: 1) { $0.autoRenew = false }], at: Example.day(1))
        #expect(told(listener.events([], at: Example.day(45))) == ["subscription.expired \(30 * day)"])
    }

    @Test func `an end for want of a renewal occurred at the end of the leeway`() {
        var listener = Listener()
        _ = listener.hears([first, record(on: 1)], at: Example.day(1))
        #expect(told(listener.events([], at: Example.day(45))) == ["subscription.expired \(30 * day + 2)"])
    }

    @Test func `billing retry began at the end of the period, or of the grace period`() {
        var listener = Listener()
        _ = listener.hears([first], at: Example.day(1))
        #expect(
            told(listener.events([failed(on: 30)], at: Example.day(45))) == [
                "subscription.entered_billing_retry \(30 * day)"
            ]
        )
        var other = Listener()
        _ = other.hears([first, failed(on: 30, grace: Example.day(46))], at: Example.day(31))
        #expect(told(other.events([], at: Example.day(60))) == ["subscription.entered_billing_retry \(46 * day)"])
    }

    @Test func `who cancels while the store tries to charge ends it then`() {
        var listener = Listener()
        _ = listener.hears([first, failed(on: 30)], at: Example.day(31))
        let cancelled = record(on: 40) { fact in
            fact.autoRenew = false
            fact.expirationReason = .cancelled
        }
        #expect(
            told(listener.events([cancelled], at: Example.day(50)))
                == ["subscription.auto_renew_off \(40 * day)", "subscription.expired \(40 * day)"]
        )
    }

    @Test(arguments: [true, false])
    func `the store gave up when it said so, whether the failure was known or not`(isKnown: Bool) {
        var listener = Listener()
        if isKnown { _ = listener.hears([first, failed(on: 30)], at: Example.day(31)) }
        let over = record(on: 90) { $0.expirationReason = .billingError }
        let word = Fact.status(Example.status(.expired, signedAt: Example.day(90)))
        let events = listener.events([first, over, word], at: Example.day(200)).filter { $0.kind == .expired }
        #expect(told(events) == ["subscription.expired \(90 * day)"])
    }

    @Test func `a record that was signed long after the end does not move it`() {
        var listener = Listener()
        let over = record(on: 200) { $0.expirationReason = .billingError }
        let events = listener.events([first, over], at: Example.day(201)).filter { $0.kind == .expired }
        #expect(told(events) == ["subscription.expired \(90 * day)"])
        var other = Listener()
        let cancelled = record(on: 200) { $0.expirationReason = .cancelled }
        let ends = other.events([first, cancelled], at: Example.day(201)).filter { $0.kind == .expired }
        #expect(told(ends) == ["subscription.expired \(30 * day)"])
    }

    @Test func `billing retry that ends by itself ended then`() {
        var listener = Listener()
        _ = listener.hears([first, failed(on: 30)], at: Example.day(31))
        #expect(told(listener.events([], at: Example.day(120))) == ["subscription.expired \(90 * day + 2)"])
    }

    @Test func `a status that ends a running period did so when it was signed`() {
        var listener = Listener()
        _ = listener.hears([first], at: Example.day(1))
        let word = Fact.status(Example.status(.expired, signedAt: Example.day(7)))
        #expect(told(listener.events([word], at: Example.day(9))) == ["subscription.expired \(7 * day)"])
        var other = Listener()
        _ = other.hears([first], at: Example.day(1))
        let taken = Fact.status(Example.status(.revoked, signedAt: Example.day(7)))
        #expect(told(other.events([taken], at: Example.day(9))) == ["subscription.revoked \(7 * day)"])
    }

    @Test func `a failed charge that a status alone tells of occurred when that was signed`() {
        var listener = Listener()
        _ = listener.hears([first], at: Example.day(1))
        let word = Fact.status(Example.status(.inBillingRetry, signedAt: Example.day(30, hours: 1)))
        #expect(
            told(listener.events([word], at: Example.day(33))) == ["subscription.entered_billing_retry \(30 * day + 1)"]
        )
    }

    @Test func `the unused part of a period was returned at the upgrade`() {
        var listener = Listener()
        _ = listener.hears([first], at: Example.day(1))
        let upgrade = Example.period(1) { fact in
            fact.purchasedAt = Example.day(10)
            fact.signedAt = Example.day(10)
            fact.productID = Example.yearly
            fact.isRenewal = false
        }
        #expect(
            told(listener.events([.transaction(upgrade)], at: Example.day(12)))
                == [
                    "subscription.prorated \(10 * day)", "subscription.upgraded \(10 * day)",
                    "subscription.plan_changed \(10 * day)",
                ]
        )
    }

    @Test(arguments: Array<UInt64>(1...60))
    func `nothing occurs later than it is told, but for what was signed ahead`(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        var listener = Listener()
        var now = Example.day(60)
        for _ in 0..<12 {
            now = now.adding(milliseconds: Int64.random(in: 0...3_000_000_000, using: &random.generator))
            for event in listener.events(random.facts(2), at: now) {
                #expect(event.occurredAt <= now, "seed \(seed): \(event.kind)")
            }
        }
    }
}
