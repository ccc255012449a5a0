import SubscriptionCore
import Testing

@Suite struct `Events about entitlements` {
    private let id = EntitlementID("21000001")

    private func entitlements(_ facts: [Fact], at now: Timestamp) -> [EntitlementID: Entitlement] {
        let state = Example.ledger(facts).state(at: now, policy: Example.policy)
        return EntitlementRule(definitions: []).entitlements(from: [state].compactMap(\.self))
    }

    private func kinds(
        from before: [EntitlementID: Entitlement],
        to after: [EntitlementID: Entitlement]
    ) -> [SubscriptionEvent.Kind] {
        EntitlementChange(before: before, after: after, purchases: [], now: Example.day(1)).events.map(\.kind)
    }

    private let first = Fact.transaction(Example.period(0))
    private let second = Fact.transaction(Example.period(1))

    @Test func `a new entitlement is granted, and its event contains the entitlement`() throws {
        let after = entitlements([first], at: Example.day(1))
        let events = EntitlementChange(before: [:], after: after, purchases: [], now: Example.day(1)).events
        #expect(events.map(\.kind) == [.entitlementGranted])
        #expect(events.first?.entitlement == after[id])
        #expect(events.first?.occurredAt == Example.day(1))
        #expect(events.first?.price == nil)
    }

    @Test func `a later end is an extension`() {
        let before = entitlements([first], at: Example.day(29))
        #expect(kinds(from: before, to: entitlements([first, second], at: Example.day(30))) == [.entitlementExtended])
        // An early charge extends the entitlement from the start of its period.
        #expect(kinds(from: before, to: entitlements([first, second], at: Example.day(29))) == [])
    }

    @Test func `a grace period is an extension`() {
        let failed = Fact.renewal(
            Example.renewal(inPeriod: 0, signedAt: Example.day(30)) { fact in
                fact.isInBillingRetry = true
                fact.graceExpiresAt = Example.day(46)
            }
        )
        let before = entitlements([first], at: Example.day(29))
        #expect(kinds(from: before, to: entitlements([first, failed], at: Example.day(30))) == [.entitlementExtended])
    }

    @Test func `an entitlement is withdrawn once at its end`() {
        let running = entitlements([first], at: Example.day(1))
        let over = entitlements([first], at: Example.day(30))
        #expect(kinds(from: running, to: over) == [.entitlementWithdrawn])
        #expect(kinds(from: over, to: over) == [])
    }

    @Test func `an entitlement without a source is withdrawn and inactive`() {
        let running = entitlements([first], at: Example.day(1))
        let events = EntitlementChange(before: running, after: [:], purchases: [], now: Example.day(2)).events
        #expect(events.map(\.kind) == [.entitlementWithdrawn])
        #expect(events.first?.entitlement?.isActive == false)
        #expect(events.first?.entitlement?.willRenew == false)
    }

    @Test func `an entitlement that a definition no longer gives has the reason definitionChanged`() {
        let running = entitlements([first], at: Example.day(1))
        for (purchases, reason) in [
            ([Example.subscription], Entitlement.InactiveReason.definitionChanged), ([], .revoked),
        ] {
            let change = EntitlementChange(
                before: running,
                after: [:],
                purchases: Set(purchases),
                now: Example.day(2)
            )
            #expect(change.events.map(\.entitlement?.inactiveReason) == [reason])
        }
    }

    @Test func `an entitlement that becomes active again is granted again`() {
        let over = entitlements([first], at: Example.day(30))
        #expect(kinds(from: over, to: entitlements([first, second], at: Example.day(31))) == [.entitlementGranted])
    }

    @Test func `an unchanged entitlement has no event`() {
        let running = entitlements([first], at: Example.day(1))
        #expect(kinds(from: running, to: running) == [])
    }

    /// These events alone must show at any time whether there is access.
    @Test(arguments: Array<UInt64>(1...40))
    func `the events are sufficient for access control`(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        var known: [EntitlementID: Bool] = [:]
        var ledger = PurchaseLedger(originalID: Example.subscription)
        var previous: [EntitlementID: Entitlement] = [:]
        let times = (0..<12).map { _ in random.time() }.sorted()
        for now in times {
            for fact in random.facts(2) { ledger.join(fact) }
            let state = ledger.state(at: now, policy: Example.policy)
            let present = EntitlementRule(definitions: []).entitlements(from: [state].compactMap(\.self))
            for event in EntitlementChange(before: previous, after: present, purchases: [], now: now).events {
                guard let entitlement = event.entitlement else { continue }
                known[entitlement.id] = event.kind != .entitlementWithdrawn
                #expect(entitlement.isActive == (event.kind != .entitlementWithdrawn))
            }
            previous = present
            let active = Set(present.values.filter(\.isActive).map(\.id))
            #expect(Set(known.filter(\.value).keys) == active)
        }
    }
}
