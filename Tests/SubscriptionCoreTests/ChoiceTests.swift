import SubscriptionCore
import Testing

/// The choices that other suites leave open: ties, texts, and what is passed on as it is.
@Suite
struct `The choice of what gives an entitlement` {
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

    @Test func `of two grants with one end the smaller identifier counts`() {
        for grants in [[grant("gr_1"), grant("gr_2")], [grant("gr_2"), grant("gr_1")]] {
            #expect(rule.entitlements(from: [], grants: grants)[EntitlementID("pro")]?.grantID?.rawValue == "gr_1")
        }
    }

    @Test func `a purchase counts before a grant with the same end`() throws {
        let given = rule.entitlements(from: [try subscription()], grants: [grant("gr_1")])[EntitlementID("pro")]
        #expect(given?.source == .subscription && given?.grantID == nil)
    }

    @Test func `a grant that runs is active, and one that was taken back is not`() {
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

    @Test func `whether it renews and whether it stands are passed on`() throws {
        let pro = EntitlementID("pro")
        #expect(rule.entitlements(from: [try subscription()])[pro]?.willRenew == true)
        #expect(rule.entitlements(from: [try subscription { $0.autoRenew = false }])[pro]?.willRenew == false)
        let refunded = Example.oneTime(.nonConsumable) { $0.revocation = Revocation(at: Example.day(1), kind: .refund) }
        let state = try #require(
            Example.ledger([.transaction(refunded)]).state(at: Example.day(2), policy: Example.policy)
        )
        #expect(rule.entitlements(from: [state])[pro]?.isActive == false)
    }

    @Test func `the step says whether an entitlement is defined`() {
        let product = Example.monthly
        let undefined = EntitlementRule(definitions: []).step(from: product)
        #expect(rule.step(from: product).text == "The entitlement is defined to come with it.")
        #expect(undefined.text.hasPrefix("No entitlement is defined") && undefined.basis == .rule(product))
    }

    @Test func `a grant's explanation says how it ends or ended`() {
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

    @Test func `what lasts no longer is not extended`() throws {
        let long = rule.entitlements(from: [try subscription()])
        let off = rule.entitlements(from: [try subscription { $0.autoRenew = false }])
        #expect(EntitlementChange(before: long, after: off, purchases: [], now: Example.day(1)).events.isEmpty)
    }
}

/// Which of several names, prices and times an event has.
@Suite
struct `The choice of an event` {
    private let first = Fact.transaction(Example.period(0))

    private func record(_ period: Int = 0, on day: Int, _ change: (inout RenewalFact) -> Void = { _ in }) -> Fact {
        .renewal(Example.renewal(inPeriod: period, signedAt: Example.day(day), change))
    }

    @Test func `a scheduled change that is taken back is told, and one that came into force is not taken back`() {
        var listener = Listener()
        let scheduled = record(on: 2) { $0.nextProductID = Example.yearly }
        _ = listener.hears([first, record(on: 0)], at: Example.day(1))
        #expect(listener.hears([scheduled], at: Example.day(2)) == [.planChangeScheduled])
        #expect(listener.hears([record(on: 3)], at: Example.day(3)) == [.planChangeCancelled])
        var other = Listener()
        _ = other.hears([first, scheduled], at: Example.day(2))
        let inForce = record(1, on: 30) { fact in
            fact.productID = Example.yearly
            fact.nextProductID = Example.yearly
        }
        _ = other.hears([inForce], at: Example.day(30))
        var third = Listener()
        _ = third.hears([first, record(on: 0)], at: Example.day(1))
        #expect(third.hears([inForce], at: Example.day(30)) == [])
    }

    @Test func `an increase counts from the price that the record before names, if it names another`() {
        func details(_ before: Int64?) -> [String: String]? {
            var listener = Listener()
            let old = record(on: 0) { $0.renewalPrice = before.map { Money(milliunits: $0, currency: "USD") } }
            _ = listener.hears([first, old], at: Example.day(1))
            let asked = record(on: 5) { fact in
                fact.renewalPrice = Money(milliunits: 12_990, currency: "USD")
                fact.priceIncreaseAccepted = false
            }
            return listener.events([asked], at: Example.day(5)).first?.details
        }
        #expect(details(8_990)?["old_price"] == "8990")
        #expect(details(12_990)?["old_price"] == "9990")
        #expect(details(nil)?["old_price"] == "9990")
    }

    @Test func `an event without prices has no details`() {
        var listener = Listener()
        let asked = record(on: 5) { fact in
            fact.renewalPrice = nil
            fact.priceIncreaseAccepted = false
        }
        let events = listener.events([.transaction(Example.period(0) { $0.price = nil }), asked], at: Example.day(5))
        #expect(events.map(\.kind) == [.started, .priceIncreasePending] && events.allSatisfy { $0.details == nil })
    }

    @Test func `a one-time purchase whose price is stated later has its own event`() {
        let bought = Example.oneTime(.nonConsumable) { $0.price = nil }
        var listener = Listener(bought.originalID)
        _ = listener.hears([.transaction(bought)], at: Example.day(0))
        let stated = Example.oneTime(.nonConsumable) { $0.signedAt = Example.day(1) }
        #expect(listener.hears([.transaction(stated)], at: Example.day(1)) == [.purchasePriceStated])
    }

    @Test func `a renewal that is charged early occurred when it was signed, and one that is heard late when it began`()
    {
        let early = Example.period(1) { $0.signedAt = Example.day(29) }
        let late = Example.period(1) { $0.signedAt = Example.day(33) }
        for (transaction, instant) in [(early, Example.day(29)), (late, Example.day(30))] {
            var listener = Listener()
            _ = listener.hears([first], at: Example.day(1))
            #expect(listener.events([.transaction(transaction)], at: Example.day(34)).first?.occurredAt == instant)
        }
    }

    @Test func `a refund that is stated again returns nothing more, and a smaller one gives the difference back`() {
        func refund(_ percentage: Int?, on day: Int) -> Fact {
            .transaction(
                Example.period(0) { fact in
                    fact.revocation = Revocation(at: Example.day(2), kind: .proratedRefund, percentage: percentage)
                    fact.signedAt = Example.day(day)
                }
            )
        }
        var listener = Listener()
        _ = listener.hears([first], at: Example.day(1))
        #expect(listener.hears([refund(50_000, on: 2)], at: Example.day(2)) == [.refunded])
        #expect(listener.hears([refund(50_000, on: 3)], at: Example.day(3)) == [])
        let less = listener.events([refund(10_000, on: 4)], at: Example.day(4))
        #expect(less.map(\.kind) == [.refundReversed] && less.first?.price?.milliunits == 3_996)
    }

    @Test func `a revocation that is told by its own refund is not told twice`() {
        var listener = Listener()
        _ = listener.hears([first], at: Example.day(1))
        let refunded = Example.period(0) { fact in
            fact.revocation = Revocation(at: Example.day(2), kind: .refund)
            fact.signedAt = Example.day(2)
        }
        let word = Fact.status(Example.status(.revoked, signedAt: Example.day(2)))
        #expect(listener.hears([.transaction(refunded), word], at: Example.day(2)) == [.refunded])
        var member = Listener()
        let shared = Example.period(0) { $0.ownership = .familyShared }
        _ = member.hears([.transaction(shared)], at: Example.day(1))
        var ended = shared
        ended.revocation = Revocation(at: Example.day(2), kind: .sharingEnded)
        ended.signedAt = Example.day(2)
        #expect(member.hears([.transaction(ended), word], at: Example.day(2)) == [.revoked])
        // Money that came with it is none of the two.
        var third = Listener()
        _ = third.hears([first], at: Example.day(1))
        let restated = Example.period(0) { fact in
            fact.price = Money(milliunits: 1, currency: "USD")
            fact.signedAt = Example.day(2)
        }
        #expect(third.hears([.transaction(restated), word], at: Example.day(2)) == [.priceStated, .revoked])
    }

    @Test func `billing retry after a grace period began at its end, however late that is signed`() {
        var listener = Listener()
        let grace = record(on: 30) { fact in
            fact.isInBillingRetry = true
            fact.graceExpiresAt = Example.day(46)
        }
        _ = listener.hears([first, grace], at: Example.day(31))
        let over = record(on: 50) { fact in
            fact.isInBillingRetry = true
            fact.graceExpiresAt = Example.day(46)
        }
        let events = listener.events([over], at: Example.day(60))
        #expect(events.map(\.kind) == [.enteredBillingRetry] && events.first?.occurredAt == Example.day(46))
        // To the instant: the clock itself tells it.
        var exact = Listener()
        _ = exact.hears([first, grace], at: Example.day(31))
        #expect(exact.events([], at: Example.day(46)).first?.occurredAt == Example.day(46))
    }
}
