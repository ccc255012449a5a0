import PerennialPrimitives
import SubscriptionCore
import Testing

@Suite struct `A customer's entitlements` {
    private let none = EntitlementRule(definitions: [])
    private let pro = EntitlementID("pro")

    private func subscription(
        _ id: String = "1",
        product: ProductID = Example.monthly,
        group: SubscriptionGroupID? = Example.group,
        endsOn end: Int = 30,
        at now: Timestamp = Example.day(1)
    ) throws -> PurchaseState {
        let fact = Example.period(0) { fact in
            fact.originalID = OriginalTransactionID(id)
            fact.productID = product
            fact.groupID = group
            fact.expiresAt = Example.day(end)
        }
        return try #require(Example.ledger([.transaction(fact)]).state(at: now, policy: Example.policy))
    }

    private func oneTime(
        _ kind: ProductKind,
        product: String = "lifetime",
        revoked: Bool = false
    ) throws -> PurchaseState {
        let fact = Example.oneTime(kind, product: ProductID(product)) { fact in
            fact.revocation = revoked ? Revocation(at: Example.day(9), kind: .refund) : nil
        }
        return try #require(Example.ledger([.transaction(fact)]).state(at: Example.day(10), policy: Example.policy))
    }

    private func rule(_ definitions: [String: [String]]) -> EntitlementRule {
        EntitlementRule(
            definitions: definitions.map { id, products in
                EntitlementDefinition(id: EntitlementID(id), productIDs: products.map { ProductID($0) })
            }
        )
    }

    @Test func `without definitions, each group and each non-consumable product is an entitlement`() throws {
        let purchases = [
            try subscription(), try oneTime(.nonConsumable), try oneTime(.consumable, product: "coins"),
            try oneTime(.nonRenewing, product: "season"),
        ]
        let given = none.entitlements(from: purchases)
        #expect(given.keys.sorted().map(\.rawValue) == ["21000001", "lifetime"])
        #expect(given[EntitlementID("lifetime")]?.expiresAt == nil)
        #expect(given[EntitlementID("lifetime")]?.source == .purchase)
        #expect(given[EntitlementID("21000001")]?.source == .subscription)
    }

    @Test func `without definitions, a subscription without a group is an entitlement of its product`() throws {
        let given = none.entitlements(from: [try subscription(group: nil)])
        #expect(given.keys.map(\.rawValue) == ["pro.monthly"])
    }

    @Test func `with definitions, a product gives only the entitlements that contain it`() throws {
        let rule = rule(["pro": ["pro.monthly", "lifetime"], "coins": ["coins"], "other": ["else"]])
        let purchases = [try subscription(), try oneTime(.consumable, product: "coins")]
        #expect(rule.entitlements(from: purchases).keys.sorted().map(\.rawValue) == ["coins", "pro"])
        #expect(rule.entitlements(from: [try subscription(product: ProductID("new"))]).isEmpty)
    }

    @Test func `one product can give several entitlements`() throws {
        let given = rule(["a": ["pro.monthly"], "b": ["pro.monthly"]]).entitlements(from: [try subscription()])
        #expect(given.keys.sorted().map(\.rawValue) == ["a", "b"])
    }

    @Test func `a source with access wins over a source without access, regardless of dates`() throws {
        let rule = rule(["pro": ["pro.monthly", "lifetime"]])
        let running = try subscription("9", endsOn: 30)
        let over = try subscription("1", endsOn: 400, at: Example.day(401))
        for purchases in [[running, over], [over, running]] {
            #expect(rule.entitlements(from: purchases)[pro]?.purchaseID?.rawValue == "9")
        }
    }

    @Test func `the source with the latest end wins, and a source without an end wins over all`() throws {
        let rule = rule(["pro": ["pro.monthly", "lifetime"]])
        let purchases = [try subscription("1", endsOn: 30), try subscription("2", endsOn: 31)]
        #expect(rule.entitlements(from: purchases)[pro]?.expiresAt == Example.day(31))
        let lasting = purchases + [try oneTime(.nonConsumable)]
        #expect(rule.entitlements(from: lasting)[pro]?.expiresAt == nil)
        let taken = purchases + [try oneTime(.nonConsumable, revoked: true)]
        #expect(rule.entitlements(from: taken)[pro]?.expiresAt == Example.day(31))
    }

    @Test(arguments: Array<UInt64>(1...20))
    func `the order of the purchases has no effect`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let rule = rule(["pro": ["pro.monthly", "lifetime"], "all": ["pro.monthly"]])
        let purchases = try (1...8).map { try subscription("\($0)", endsOn: generator.one(of: [1, 30, 31])) }
        let expected = rule.entitlements(from: purchases)
        for _ in 0..<10 {
            #expect(rule.entitlements(from: purchases.shuffled(using: &generator)) == expected)
        }
    }

    @Test func `a grace period and its billing issue are in the entitlement`() throws {
        let failed = Example.renewal(inPeriod: 0, signedAt: Example.day(30)) { fact in
            fact.isInBillingRetry = true
            fact.graceExpiresAt = Example.day(46)
        }
        let ledger = Example.ledger([.transaction(Example.period(0)), .renewal(failed)])
        let state = try #require(ledger.state(at: Example.day(31), policy: Example.policy))
        let given = try #require(none.entitlements(from: [state])[EntitlementID("21000001")])
        #expect(given.isActive)
        #expect(given.hasBillingIssue)
        #expect(given.expiresAt == Example.day(30))
        #expect(given.graceExpiresAt == Example.day(46))
    }

    @Test(arguments: `The state of a subscription`.all)
    func `an inactive entitlement has a reason and an end in the past`(row: StateCase) throws {
        let state = try #require(Example.ledger(row.facts).state(at: row.now, policy: Example.policy))
        for given in none.entitlements(from: [state]).values.map({ $0.reported(at: row.now) }) {
            #expect((given.inactiveReason == nil) == given.isActive)
            if !given.isActive { #expect(try #require(given.expiresAt) <= row.now) }
        }
    }

    @Test(arguments: Array<UInt64>(1...200))
    func `an inactive entitlement has a reason and no end in the future, for any facts`(seed: UInt64) throws {
        var random = RandomFacts(seed: seed)
        let ledger = Example.ledger(random.facts(12))
        for day in [0, 10, 31, 45, 61, 200] {
            let now = Example.day(day)
            guard let state = ledger.state(at: now, policy: Example.policy) else { continue }
            let rule = rule(["pro": ["pro.monthly", "pro.yearly"]])
            for given in rule.entitlements(from: [state]).values.map({ $0.reported(at: now) }) {
                #expect((given.inactiveReason == nil) == given.isActive)
                if !given.isActive, let end = given.expiresAt { #expect(end <= now) }
            }
        }
    }
}
