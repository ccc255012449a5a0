import SubscriptionCore
import Testing

/// Cases that other suites do not cover: ties, texts, and values that are copied unchanged.
@Suite struct `The source of an entitlement` {
    private let rule = EntitlementRule(definitions: [
        EntitlementDefinition(id: EntitlementID("pro"), productIDs: [Example.monthly, ProductID("lifetime")])
    ])

    private func grant(_ id: String, revoked: Timestamp? = nil) -> GrantState {
        Grant(
            id: GrantID(id),
            entitlementID: EntitlementID("pro"),
            reason: nil,
            grantedAt: Example.day(0),
            expiresAt: Example.day(30),
            revokedAt: revoked
        )
        .state(at: Example.day(1))
    }

    private func subscription(_ change: (inout RenewalFact) -> Void = { _ in }) throws -> PurchaseState {
        let facts: [Fact] = [.transaction(Example.period(0)), .renewal(Example.renewal(inPeriod: 0, change))]
        return try #require(Example.ledger(facts).state(at: Example.day(1), policy: Example.policy))
    }

    @Test func `is the grant with the smaller identifier if two grants end at the same time`() {
        for grants in [[grant("gr_1"), grant("gr_2")], [grant("gr_2"), grant("gr_1")]] {
            #expect(rule.entitlements(from: [], grants: grants)[EntitlementID("pro")]?.grantID?.rawValue == "gr_1")
        }
    }

    @Test func `is the purchase if a grant ends at the same time`() throws {
        let given = rule.entitlements(from: [try subscription()], grants: [grant("gr_1")])[EntitlementID("pro")]
        #expect(given?.source == .subscription && given?.grantID == nil)
    }

    @Test func `is active while the grant runs, and inactive once the grant is revoked`() {
        let pro = EntitlementID("pro")
        #expect(rule.entitlements(from: [], grants: [grant("gr_1")])[pro]?.isActive == true)
        #expect(rule.entitlements(from: [], grants: [grant("gr_1", revoked: Example.day(1))])[pro]?.isActive == false)
        let ends = Grant(
            id: GrantID("gr_1"),
            entitlementID: pro,
            reason: nil,
            grantedAt: Example.day(0),
            expiresAt: Example.day(30)
        )
        #expect(!ends.state(at: Example.day(30)).isActive)
    }

    @Test func `determines whether the entitlement renews and whether it is active`() throws {
        let pro = EntitlementID("pro")
        #expect(rule.entitlements(from: [try subscription()])[pro]?.willRenew == true)
        #expect(rule.entitlements(from: [try subscription { $0.autoRenew = false }])[pro]?.willRenew == false)
        let refunded = Example.oneTime(.nonConsumable) { $0.revocation = Revocation(at: Example.day(1), kind: .refund) }
        let state = try #require(
            Example.ledger([.transaction(refunded)]).state(at: Example.day(2), policy: Example.policy)
        )
        #expect(rule.entitlements(from: [state])[pro]?.isActive == false)
    }

    @Test func `is explained by a step that reports whether the entitlement is defined`() {
        let product = Example.monthly
        let undefined = EntitlementRule(definitions: []).step(from: product)
        #expect(rule.step(from: product).text == "The entitlement is defined to come with it.")
        #expect(undefined.text.hasPrefix("No entitlement is defined") && undefined.basis == .rule(product))
    }

    @Test func `is explained with the end of the grant`() {
        let ended = Grant(
            id: GrantID("gr_1"),
            entitlementID: EntitlementID("pro"),
            reason: nil,
            grantedAt: Example.day(0),
            expiresAt: Example.day(30)
        )
        #expect(grant("gr_1").explanation.steps.last?.text == "The grant lasts until that time.")
        #expect(ended.state(at: Example.day(31)).explanation.steps.last?.text == "The grant ended at that time.")
        #expect(
            grant("gr_1", revoked: Example.day(1)).explanation.steps.last?.text
                == "An operator took it back at that time."
        )
    }

    @Test func `does not extend the entitlement if it does not last longer`() throws {
        let long = rule.entitlements(from: [try subscription()])
        let off = rule.entitlements(from: [try subscription { $0.autoRenew = false }])
        #expect(EntitlementChange(before: long, after: off, purchases: [], now: Example.day(1)).events.isEmpty)
    }
}

/// Cases in which an event has several possible kinds, prices or times.
@Suite struct `The kind, price and time of an event` {
    private let first = Fact.transaction(Example.period(0))

    private func record(_ period: Int = 0, on day: Int, _ change: (inout RenewalFact) -> Void = { _ in }) -> Fact {
        .renewal(Example.renewal(inPeriod: period, signedAt: Example.day(day), change))
    }

    @Test func `a cancelled plan change is reported, and a completed plan change is not reported as cancelled`() {
        var recorder = EventRecorder()
        let scheduled = record(on: 2) { $0.nextProductID = Example.yearly }
        _ = recorder.kinds([first, record(on: 0)], at: Example.day(1))
        #expect(recorder.kinds([scheduled], at: Example.day(2)) == [.planChangeScheduled])
        #expect(recorder.kinds([record(on: 3)], at: Example.day(3)) == [.planChangeCancelled])
        var other = EventRecorder()
        _ = other.kinds([first, scheduled], at: Example.day(2))
        let inForce = record(1, on: 30) { fact in
            fact.productID = Example.yearly
            fact.nextProductID = Example.yearly
        }
        _ = other.kinds([inForce], at: Example.day(30))
        var third = EventRecorder()
        _ = third.kinds([first, record(on: 0)], at: Example.day(1))
        #expect(third.kinds([inForce], at: Example.day(30)) == [])
    }

    @Test func `an increase starts from the price in the previous record if the prices differ`() {
        func details(_ before: Int64?) -> [String: String]? {
            var recorder = EventRecorder()
            let old = record(on: 0) { $0.renewalPrice = before.map { Money(milliunits: $0, currency: "USD") } }
            _ = recorder.kinds([first, old], at: Example.day(1))
            let asked = record(on: 5) { fact in
                fact.renewalPrice = Money(milliunits: 12_990, currency: "USD")
                fact.priceIncreaseAccepted = false
            }
            return recorder.events([asked], at: Example.day(5)).first?.details
        }
        #expect(details(8_990)?["old_price"] == "8990")
        #expect(details(12_990)?["old_price"] == "9990")
        #expect(details(nil)?["old_price"] == "9990")
    }

    @Test func `an event without prices has no details`() {
        var recorder = EventRecorder()
        let asked = record(on: 5) { fact in
            fact.renewalPrice = nil
            fact.priceIncreaseAccepted = false
        }
        let events = recorder.events([.transaction(Example.period(0) { $0.price = nil }), asked], at: Example.day(5))
        #expect(events.map(\.kind) == [.started, .priceIncreasePending] && events.allSatisfy { $0.details == nil })
    }

    @Test func `a price that is added to a one-time purchase later has its own event`() {
        let bought = Example.oneTime(.nonConsumable) { $0.price = nil }
        var recorder = EventRecorder(bought.originalID)
        _ = recorder.kinds([.transaction(bought)], at: Example.day(0))
        let stated = Example.oneTime(.nonConsumable) { $0.signedAt = Example.day(1) }
        #expect(recorder.kinds([.transaction(stated)], at: Example.day(1)) == [.purchasePriceStated])
    }

    @Test func `an early renewal occurred at its signing, and a late renewal at the start of its period`() {
        let early = Example.period(1) { $0.signedAt = Example.day(29) }
        let late = Example.period(1) { $0.signedAt = Example.day(33) }
        for (transaction, time) in [(early, Example.day(29)), (late, Example.day(30))] {
            var recorder = EventRecorder()
            _ = recorder.kinds([first], at: Example.day(1))
            #expect(recorder.events([.transaction(transaction)], at: Example.day(34)).first?.occurredAt == time)
        }
    }

    @Test func `a repeated refund returns nothing more, and a reduced refund gives the difference back`() {
        func refund(_ percentage: Int?, on day: Int) -> Fact {
            .transaction(
                Example.period(0) { fact in
                    fact.revocation = Revocation(at: Example.day(2), kind: .proratedRefund, percentage: percentage)
                    fact.signedAt = Example.day(day)
                }
            )
        }
        var recorder = EventRecorder()
        _ = recorder.kinds([first], at: Example.day(1))
        #expect(recorder.kinds([refund(50_000, on: 2)], at: Example.day(2)) == [.refunded])
        #expect(recorder.kinds([refund(50_000, on: 3)], at: Example.day(3)) == [])
        let less = recorder.events([refund(10_000, on: 4)], at: Example.day(4))
        #expect(less.map(\.kind) == [.refundReversed] && less.first?.price?.milliunits == 3_996)
    }

    @Test func `a revocation that is reported as a refund is not reported twice`() {
        var recorder = EventRecorder()
        _ = recorder.kinds([first], at: Example.day(1))
        let refunded = Example.period(0) { fact in
            fact.revocation = Revocation(at: Example.day(2), kind: .refund)
            fact.signedAt = Example.day(2)
        }
        let status = Fact.status(Example.status(.revoked, signedAt: Example.day(2)))
        #expect(recorder.kinds([.transaction(refunded), status], at: Example.day(2)) == [.refunded])
        var member = EventRecorder()
        let shared = Example.period(0) { $0.ownership = .familyShared }
        _ = member.kinds([.transaction(shared)], at: Example.day(1))
        var ended = shared
        ended.revocation = Revocation(at: Example.day(2), kind: .sharingEnded)
        ended.signedAt = Example.day(2)
        #expect(member.kinds([.transaction(ended), status], at: Example.day(2)) == [.revoked])
        // A changed price in the same delivery has its own event.
        var third = EventRecorder()
        _ = third.kinds([first], at: Example.day(1))
        let restated = Example.period(0) { fact in
            fact.price = Money(milliunits: 1, currency: "USD")
            fact.signedAt = Example.day(2)
        }
        #expect(third.kinds([.transaction(restated), status], at: Example.day(2)) == [.priceStated, .revoked])
    }

    @Test func `billing retry began at the end of the grace period, even if its record is signed later`() {
        var recorder = EventRecorder()
        let grace = record(on: 30) { fact in
            fact.isInBillingRetry = true
            fact.graceExpiresAt = Example.day(46)
        }
        _ = recorder.kinds([first, grace], at: Example.day(31))
        let over = record(on: 50) { fact in
            fact.isInBillingRetry = true
            fact.graceExpiresAt = Example.day(46)
        }
        let events = recorder.events([over], at: Example.day(60))
        #expect(events.map(\.kind) == [.enteredBillingRetry] && events.first?.occurredAt == Example.day(46))
        // At that time the clock alone causes the event.
        var exact = EventRecorder()
        _ = exact.kinds([first, grace], at: Example.day(31))
        #expect(exact.events([], at: Example.day(46)).first?.occurredAt == Example.day(46))
    }
}
