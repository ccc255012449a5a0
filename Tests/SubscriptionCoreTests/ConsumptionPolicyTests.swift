import SubscriptionCore
import Testing

/// What a policy answers to a refund request.
@Suite struct `A consumption policy` {
    private static func facts(
        _ kind: ProductKind = .consumable,
        _ change: (inout ConsumptionFacts) -> Void = { _ in }
    ) -> ConsumptionFacts {
        var facts = ConsumptionFacts(
            productID: ProductID("coins"),
            kind: kind,
            ownership: .purchased,
            purchasedAt: Example.day(0),
            requestedAt: Example.day(3),
            reason: "unintended_purchase"
        )
        facts.consents = true
        change(&facts)
        return facts
    }

    private static func content(of decision: ConsumptionDecision) throws -> ConsumptionDecision.Content {
        guard case .send(let content) = decision.outcome else { throw NothingSent() }
        return content
    }

    private struct NothingSent: Error {}

    private typealias Rule = ConsumptionPolicy.Rule

    @Test func `answers by the first rule that fits`() {
        let policy = ConsumptionPolicy(
            rules: [
                Rule(products: [ProductID("other")], answer: .grantFull),
                Rule(
                    reasons: ["unintended_purchase"],
                    bounds: [.purchaseAgeDays: .init(maximum: 2)],
                    answer: .grantFull
                ),
                Rule(bounds: [.refundsBefore: .init(minimum: 2)], answer: .decline),
                Rule(kinds: [.consumable], answer: .grantProrated),
            ],
            otherwise: .noAnswer
        )
        func rule(_ facts: ConsumptionFacts) -> Int? { policy.answer(to: facts).rule }
        #expect(rule(Self.facts()) == 4)
        #expect(rule(Self.facts { $0.requestedAt = Example.day(2) }) == 2)
        #expect(rule(Self.facts { $0.spending.refunds = 2 }) == 3)
        #expect(rule(Self.facts { $0.spending.refunds = 1 }) == 4)
        #expect(rule(Self.facts { $0.productID = ProductID("other") }) == 1)
        let last = policy.answer(to: Self.facts(.autoRenewable))
        #expect(last.rule == nil && last.answer == .noAnswer)
    }

    @Test(arguments: ConsumptionPolicy.Measure.allCases)
    func `has no rule that fits a number that is not known`(measure: ConsumptionPolicy.Measure) {
        let unknown: Set<ConsumptionPolicy.Measure> = [.consumptionPercentage, .accountAgeDays]
        let policy = ConsumptionPolicy(
            rules: [Rule(bounds: [measure: .init(minimum: 0)], answer: .decline)],
            otherwise: .noAnswer
        )
        #expect((policy.answer(to: Self.facts()).rule == nil) == unknown.contains(measure))
    }

    @Test func `compares amounts of the rule's currency alone`() {
        let bounds: [ConsumptionPolicy.Measure: ConsumptionPolicy.Bounds] = [.lifetimeSpent: .init(minimum: 100_000)]
        let policy = ConsumptionPolicy(
            rules: [Rule(bounds: bounds, currency: "EUR", answer: .grantFull)],
            otherwise: .decline
        )
        #expect(policy.answer(to: Self.facts { $0.spending.paid = ["USD": 500_000] }).answer == .decline)
        #expect(policy.answer(to: Self.facts { $0.spending.paid = ["EUR": 100_000] }).answer == .grantFull)
    }

    @Test func `fits reasons only where Apple gave one`() {
        let policy = ConsumptionPolicy(rules: [Rule(reasons: ["legal"], answer: .grantFull)], otherwise: .decline)
        #expect(policy.answer(to: Self.facts { $0.reason = nil }).answer == .decline)
        #expect(policy.answer(to: Self.facts { $0.reason = "legal" }).answer == .grantFull)
    }

    @Test(arguments: [nil, false]) func `sends nothing without consent`(consents: Bool?) {
        let decision = ConsumptionPolicy(otherwise: .decline).decision(on: Self.facts { $0.consents = consents })
        #expect(decision.outcome == .withhold(.noConsent))
        #expect(decision.answer == .decline)
    }

    @Test(arguments: [Ownership.familyShared, .assigned])
    func `sends nothing about what somebody else paid`(ownership: Ownership) {
        let decision = ConsumptionPolicy(otherwise: .decline).decision(on: Self.facts { $0.ownership = ownership })
        #expect(decision.outcome == .withhold(.shared))
    }

    @Test func `sends nothing if it says so`() {
        #expect(ConsumptionPolicy(otherwise: .noAnswer).decision(on: Self.facts()).outcome == .withhold(.policy))
    }

    @Test func `has the answer that is sent`() {
        let policy = ConsumptionPolicy(otherwise: .grantProrated)
        #expect(policy.decision(on: Self.facts()).sentAnswer == .noPreference)
        #expect(policy.decision(on: Self.facts { $0.percentage = 1 }).sentAnswer == .grantProrated)
        #expect(policy.decision(on: Self.facts(.autoRenewable)).sentAnswer == .grantProrated)
        #expect(policy.decision(on: Self.facts { $0.consents = nil }).sentAnswer == .grantProrated)
    }

    @Test func `sends what Apple accepts`() throws {
        func content(
            _ answer: ConsumptionPolicy.Answer,
            _ kind: ProductKind = .consumable,
            _ change: (inout ConsumptionFacts) -> Void = { _ in }
        ) throws -> ConsumptionDecision.Content {
            try Self.content(of: ConsumptionPolicy(otherwise: answer).decision(on: Self.facts(kind, change)))
        }
        // Unless it was reported otherwise, a purchase was delivered.
        #expect(try content(.decline).delivery == .delivered)
        #expect(try content(.decline).preference == .decline)
        #expect(try content(.noPreference).preference == nil)
        // Apple gives a part back only of what is partly consumed.
        #expect(try content(.grantProrated).preference == nil)
        #expect(try content(.grantProrated) { $0.percentage = 100_000 }.preference == nil)
        #expect(try content(.grantProrated) { $0.percentage = 1 }.preference == .grantProrated)
        // Apple computes the part of a subscription.
        #expect(try content(.grantProrated, .autoRenewable) { $0.percentage = 5 }.percentage == nil)
        #expect(try content(.grantProrated, .autoRenewable).preference == .grantProrated)
        let undelivered = try content(.grantFull) { facts in
            facts.percentage = 50_000
            facts.delivery = .undeliveredServerOutage
        }
        #expect(undelivered.percentage == nil && undelivered.delivery == .undeliveredServerOutage)
        #expect(try content(.decline) { $0.sampleProvided = true }.sampleProvided)
        #expect(try !content(.decline).sampleProvided)
    }
}

/// What a customer paid and got back.
@Suite struct `The spending of a purchase` {
    @Test func `has each charge and each refund once, up to a time`() {
        let refunded = Example.period(1) { fact in
            fact.revocation = Revocation(at: Example.day(40), kind: .proratedRefund, percentage: 50_000)
        }
        let ledger = Example.ledger([.transaction(Example.period(0)), .transaction(refunded)])
        let price = Int(Example.period(0).price?.milliunits ?? 0)
        #expect(price > 0)
        let before = ledger.spending(before: Example.day(35))
        #expect(before.payments == 2 && before.refunds == 0)
        let after = ledger.spending(before: Example.day(50))
        #expect(after.refunds == 1 && after.paid.values.first == 2 * price)
        #expect(after.refunded.values.first == price / 2)
        #expect(ledger.spending(before: Example.day(0)) == Spending())
    }

    @Test func `does not have what somebody else paid, nor free periods`() {
        let shared = Example.period(0) { $0.ownership = .familyShared }
        let free = Example.period(1) { $0.price = Money(milliunits: 0, currency: "USD") }
        let ledger = Example.ledger([.transaction(shared), .transaction(free)])
        #expect(ledger.spending(before: Example.day(99)) == Spending())
    }
}
