import SubscriptionCore
import Testing

/// The entitlements of a subscription before, during and after a change to another product.
@Suite struct `A plan change` {
    private static let perk = EntitlementID("perk")
    private static let pro = EntitlementID("pro")
    /// `perk` comes with the monthly product only.
    private static let rule = EntitlementRule(definitions: [
        EntitlementDefinition(id: perk, productIDs: [Example.monthly]),
        EntitlementDefinition(id: pro, productIDs: [Example.monthly, Example.yearly]),
    ])

    private func entitlements(_ facts: [Fact], at now: Timestamp) -> [EntitlementID: Entitlement] {
        Self.rule.entitlements(from: [Example.ledger(facts).state(at: now, policy: Example.policy)].compactMap(\.self))
    }

    private func changed(to product: ProductID = Example.yearly, on day: Int) -> Fact {
        .transaction(
            Example.period(1) { fact in
                fact.productID = product
                fact.purchasedAt = Example.day(day)
                fact.expiresAt = Example.day(day + 365)
                fact.signedAt = Example.day(day)
            }
        )
    }

    private let first = Fact.transaction(Example.period(0))

    @Test func `that is scheduled ends entitlements that the next product does not give`() {
        let scheduled = Fact.renewal(Example.renewal(inPeriod: 0) { $0.nextProductID = Example.yearly })
        let before = entitlements([first, scheduled], at: Example.day(10))
        #expect(before[Self.perk]?.isActive == true && before[Self.perk]?.willRenew == false)
        #expect(before[Self.pro]?.willRenew == true)
        let unchanged = entitlements([first, .renewal(Example.renewal(inPeriod: 0))], at: Example.day(10))
        #expect(unchanged[Self.perk]?.willRenew == true)
    }

    @Test(arguments: [30, 12])
    func `is the reason and the end of entitlements of the former product`(day: Int) throws {
        let facts = [first, changed(on: day)]
        let now = Example.day(day + 5)
        let perk = try #require(entitlements(facts, at: now)[Self.perk])
        #expect(!perk.isActive && perk.inactiveReason == .planChanged && !perk.willRenew)
        #expect(perk.productID == Example.monthly && perk.expiresAt == Example.day(day))
        #expect(entitlements(facts, at: now)[Self.pro]?.isActive == true)
        // The event contains the same entitlement.
        let change = EntitlementChange(
            before: entitlements([first], at: Example.day(1)),
            after: entitlements(facts, at: now),
            purchases: [Example.subscription],
            now: now
        )
        let withdrawn = change.events.filter { $0.kind == .entitlementWithdrawn }
        #expect(withdrawn.map(\.entitlement) == [perk])
    }

    @Test func `back to the former product restores its entitlements`() {
        let back = Fact.transaction(
            Example.period(2) { fact in
                fact.purchasedAt = Example.day(60)
                fact.expiresAt = Example.day(90)
                fact.signedAt = Example.day(60)
            }
        )
        let facts = [first, changed(on: 30), back]
        let state = Example.state(facts, at: Example.day(61))
        #expect(state?.productID == Example.monthly)
        #expect(state?.formerProducts == [.init(id: Example.yearly, endedAt: Example.day(60))])
        #expect(entitlements(facts, at: Example.day(61))[Self.perk]?.isActive == true)
    }

    @Test func `does not affect the entitlement of a group without definitions`() {
        let states = [Example.ledger([first, changed(on: 30)]).state(at: Example.day(31), policy: Example.policy)]
        let all = EntitlementRule(definitions: []).entitlements(from: states.compactMap(\.self))
        #expect(all.values.map(\.isActive) == [true])
    }

    @Test func `to a product without entitlements leaves the product unassigned`() throws {
        let states = [
            Example.ledger([first, changed(to: ProductID("other"), on: 30)])
                .state(at: Example.day(31), policy: Example.policy)
        ]
        #expect(Self.rule.leavesUnassigned(try #require(states.first ?? nil)))
    }

    @Test(arguments: [true, false, nil] as [Bool?])
    func `a higher price is reported until the subscription ends`(isAccepted: Bool?) {
        let asked = Fact.renewal(Example.renewal(inPeriod: 0) { $0.priceIncreaseAccepted = isAccepted })
        let running = Example.state([first, asked], at: Example.day(10))
        #expect(running?.nextPeriod.priceIncreaseAccepted == isAccepted)
        let over = Fact.renewal(
            Example.renewal(inPeriod: 0, signedAt: Example.day(30)) { fact in
                fact.autoRenew = false
                fact.priceIncreaseAccepted = isAccepted
                fact.expirationReason = .priceIncreaseNotAccepted
            }
        )
        #expect(Example.state([first, over], at: Example.day(31))?.nextPeriod.priceIncreaseAccepted == nil)
    }

    @Test func `an end that turns renewal off has a reason, and a customer's cancellation has none`() {
        let policy = AccessPolicy()
        func events(_ change: (inout RenewalFact) -> Void, at day: Int) -> [SubscriptionEvent] {
            let before = Example.ledger([first, .renewal(Example.renewal(inPeriod: 0))])
            var after = before
            after.join(.renewal(Example.renewal(inPeriod: 0, signedAt: Example.day(day), change)))
            return PurchaseChange(
                before: before,
                after: after,
                stateBefore: before.state(at: Example.day(1), policy: policy),
                stateAfter: after.state(at: Example.day(day), policy: policy),
                now: Example.day(day)
            ).events.filter { $0.kind == .autoRenewOff }
        }
        #expect(events({ $0.autoRenew = false }, at: 10).map(\.details) == [nil])
        let failed = events(
            { fact in
                fact.autoRenew = false
                fact.expirationReason = .billingError
            },
            at: 95
        )
        #expect(failed.map(\.details) == [["ended_because": "billing_error"]])
    }
}
