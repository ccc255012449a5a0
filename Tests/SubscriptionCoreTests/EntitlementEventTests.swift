import SubscriptionCore
import Testing

@Suite
struct `Events about entitlements` {
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

    @Test func `what is newly given is granted, with the whole entitlement`() throws {
        let after = entitlements([first], at: Example.day(1))
        let events = EntitlementChange(before: [:], after: after, purchases: [], now: Example.day(1)).events
        #expect(events.map(\.kind) == [.entitlementGranted])
        #expect(events.first?.entitlement == after[id])
        #expect(events.first?.occurredAt == Example.day(1))
        #expect(events.first?.price == nil)
    }

    @Test func `what lasts longer is extended`() {
        let before = entitlements([first], at: Example.day(29))
        #expect(kinds(from: before, to: entitlements([first, second], at: Example.day(30))) == [.entitlementExtended])
        // What is charged early lasts longer from when it begins.
        #expect(kinds(from: before, to: entitlements([first, second], at: Example.day(29))) == [])
    }

    @Test func `grace extends`() {
        let failed = Fact.renewal(
            Example.renewal(inPeriod: 0, signedAt: Example.day(30)) { fact in
                fact.isInBillingRetry = true
                fact.graceExpiresAt = Example.day(46)
            }
        )
        let before = entitlements([first], at: Example.day(29))
        #expect(kinds(from: before, to: entitlements([first, failed], at: Example.day(30))) == [.entitlementExtended])
    }

    @Test func `what ends is withdrawn, once`() {
        let running = entitlements([first], at: Example.day(1))
        let over = entitlements([first], at: Example.day(30))
        #expect(kinds(from: running, to: over) == [.entitlementWithdrawn])
        #expect(kinds(from: over, to: over) == [])
    }

    @Test func `what no purchase gives any more is withdrawn and says that it is not active`() {
        let running = entitlements([first], at: Example.day(1))
        let events = EntitlementChange(before: running, after: [:], purchases: [], now: Example.day(2)).events
        #expect(events.map(\.kind) == [.entitlementWithdrawn])
        #expect(events.first?.entitlement?.isActive == false)
        #expect(events.first?.entitlement?.willRenew == false)
    }

    @Test func `what a purchase that the customer still has gives no longer was taken off by the developer`() {
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

    @Test func `what comes back is granted again`() {
        let over = entitlements([first], at: Example.day(30))
        #expect(kinds(from: over, to: entitlements([first, second], at: Example.day(31))) == [.entitlementGranted])
    }

    @Test func `what stays the same is not told`() {
        let running = entitlements([first], at: Example.day(1))
        #expect(kinds(from: running, to: running) == [])
    }

    /// A subscriber who knows nothing but these events must know at each moment whether there is access.
    @Test(arguments: Array<UInt64>(1...40))
    func `the events alone are enough to run access control`(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        var known: [EntitlementID: Bool] = [:]
        var ledger = PurchaseLedger(originalID: Example.subscription)
        var held: [EntitlementID: Entitlement] = [:]
        let instants = (0..<12).map { _ in random.instant() }.sorted()
        for now in instants {
            for fact in random.facts(2) { ledger.join(fact) }
            let state = ledger.state(at: now, policy: Example.policy)
            let present = EntitlementRule(definitions: []).entitlements(from: [state].compactMap(\.self))
            for event in EntitlementChange(before: held, after: present, purchases: [], now: now).events {
                guard let entitlement = event.entitlement else { continue }
                known[entitlement.id] = event.kind != .entitlementWithdrawn
                #expect(entitlement.isActive == (event.kind != .entitlementWithdrawn))
            }
            held = present
            let active = Set(present.values.filter(\.isActive).map(\.id))
            #expect(Set(known.filter(\.value).keys) == active)
        }
    }
}
