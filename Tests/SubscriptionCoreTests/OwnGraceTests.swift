import SubscriptionCore
import Testing

/// An entitlement's own grace period: 7 days after the end of a period on day 30.
@Suite struct `An entitlement's own grace period` {
    private let pro = EntitlementID("pro")
    private let other = EntitlementID("other")
    private let end = Example.day(37)

    private var rule: EntitlementRule {
        EntitlementRule(definitions: [
            EntitlementDefinition(id: other, productIDs: [Example.monthly]),
            EntitlementDefinition(id: pro, productIDs: [Example.monthly], billingRetryGraceDays: 7),
        ])
    }

    private let ledger = Example.ledger([
        .transaction(Example.period(0)),
        .renewal(Example.renewal(inPeriod: 0, signedAt: Example.day(30)) { $0.isInBillingRetry = true }),
    ])

    private func state(at now: Timestamp) throws -> SubscriptionState {
        let state = try #require(ledger.state(at: now, policy: Example.policy))
        guard case .subscription(let timed) = rule.timed(state, at: now) else { throw Missing() }
        return timed
    }

    private struct Missing: Error {}

    @Test func `keeps the entitlement active until its end, which is the next change`() throws {
        for now in [Example.day(30), end.adding(milliseconds: -1)] {
            let state = try state(at: now)
            #expect(state.nextChangeAt == end && !state.givesAccess)
            let given = rule.entitlements(from: [.subscription(state)])
            #expect(given[pro]?.isActive == true && given[pro]?.graceExpiresAt == end)
            #expect(given[other]?.isActive == false && given[other]?.graceExpiresAt == nil)
        }
    }

    @Test func `is over at its end, and the end of billing retry is the next change`() throws {
        let state = try state(at: end)
        #expect(state.nextChangeAt == Example.day(90, hours: 2))
        let given = rule.entitlements(from: [.subscription(state)])
        #expect(given[pro]?.isActive == false && given[pro]?.graceExpiresAt == nil)
    }

    @Test func `changes only states in billing retry`() throws {
        for now in [Example.day(29), Example.day(91)] {
            let state = try #require(ledger.state(at: now, policy: Example.policy))
            #expect(rule.timed(state, at: now) == state)
            #expect(rule.entitlements(from: [state])[pro]?.isActive == (now < Example.day(30)))
        }
    }

    private func explained(_ id: EntitlementID, at now: Timestamp) throws -> Explanation {
        var explanation = try #require(ledger.explanation(at: now, policy: Example.policy))
        rule.addOwnGrace(to: &explanation, of: id, in: try state(at: now))
        return explanation
    }

    @Test func `is explained during and after it`() throws {
        let running = try explained(pro, at: Example.day(31))
        #expect(running.steps.last?.text == "It lasts until that time." && running.steps.last?.basis == .clock(end))
        #expect(running.nextChange == Explanation.NextChange(at: end, givesAccess: false, status: .inBillingRetry))
        let over = try explained(pro, at: end)
        #expect(over.steps.last?.text == "That ended at that time.")
        #expect(over.nextChange?.at == Example.day(90, hours: 2) && over.nextChange?.status == .expired)
        let plain = try explained(other, at: Example.day(31))
        #expect(plain == ledger.explanation(at: Example.day(31), policy: Example.policy))
    }

    @Test func `is part of the next change during the store's own grace period`() throws {
        func next(graceEnd: Timestamp) throws -> Explanation.NextChange? {
            let record = Example.renewal(inPeriod: 0, signedAt: Example.day(30)) { fact in
                fact.isInBillingRetry = true
                fact.graceExpiresAt = graceEnd
            }
            let ledger = Example.ledger([.transaction(Example.period(0)), .renewal(record)])
            let now = Example.day(31)
            guard case .subscription(let state)? = ledger.state(at: now, policy: Example.policy) else {
                throw Missing()
            }
            var explanation = try #require(ledger.explanation(at: now, policy: Example.policy))
            rule.addOwnGrace(to: &explanation, of: pro, in: state)
            return explanation.nextChange
        }
        #expect(try next(graceEnd: Example.day(33))?.givesAccess == true)
        #expect(try next(graceEnd: end)?.givesAccess == false)
        #expect(try next(graceEnd: Example.day(40))?.givesAccess == false)
        let running = try explained(pro, at: Example.day(29))
        #expect(running.nextChange?.at == Example.day(30) && running.nextChange?.givesAccess == true)
    }

    @Test func `is not part of an end without billing retry`() throws {
        let cancelled = Example.renewal(inPeriod: 0, signedAt: Example.day(1)) { $0.autoRenew = false }
        let ledger = Example.ledger([.transaction(Example.period(0)), .renewal(cancelled)])
        let now = Example.day(29)
        guard case .subscription(let state)? = ledger.state(at: now, policy: Example.policy) else { throw Missing() }
        var explanation = try #require(ledger.explanation(at: now, policy: Example.policy))
        rule.addOwnGrace(to: &explanation, of: pro, in: state)
        #expect(explanation == ledger.explanation(at: now, policy: Example.policy))
    }
}
