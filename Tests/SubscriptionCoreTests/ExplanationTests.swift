import SubscriptionCore
import Testing

/// Explanations of every line of the state table, and of what is no subscription.
@Suite
struct `Why a state is what it is` {
    @Test(arguments: `The state of a subscription`.all)
    func `what an explanation cites is known, and alone leads to the same answer`(line: StateCase) throws {
        let ledger = Example.ledger(line.facts)
        let explanation = try #require(ledger.explanation(at: line.now, policy: Example.policy))
        let cited = explanation.steps.compactMap { step -> Fact? in
            switch step.basis {
            case .transaction(let fact): .transaction(fact)
            case .renewal(let fact): .renewal(fact)
            case .status(let fact): .status(fact)
            case .grant, .rule, .policy, .ownership, .clock: nil
            }
        }
        #expect(cited.allSatisfy(ledger.facts.contains))
        let state = try #require(Example.state(cited, at: line.now))
        #expect(state.status == line.status)
        #expect(state.givesAccess == line.givesAccess)
        #expect(state.endReason == line.endReason)
        #expect(explanation.nextChange?.at == line.nextChangeAt)
        if let change = explanation.nextChange {
            let next = try #require(Example.state(line.facts, at: change.at))
            #expect(change.givesAccess == next.givesAccess)
            #expect(change.status == next.status)
        }
    }

    @Test(arguments: ProductKind.allCases.filter { $0 != .autoRenewable }, [false, true])
    func `a one-time purchase is explained by its transaction alone`(kind: ProductKind, isRefunded: Bool) throws {
        let fact = Example.oneTime(kind) { fact in
            if isRefunded { fact.revocation = Revocation(at: Example.day(3), kind: .refund) }
        }
        let explanation = try #require(
            Example.ledger([.transaction(fact)]).explanation(at: Example.day(4), policy: Example.policy)
        )
        #expect(explanation.steps.map(\.basis) == [.transaction(fact)])
        #expect(explanation.nextChange == nil)
    }

    @Test func `what is not known has no explanation`() {
        let ledger = PurchaseLedger(originalID: Example.subscription)
        #expect(ledger.explanation(at: Example.day(0), policy: Example.policy) == nil)
    }

    @Test func `a grant is explained by the operator and the clock`() {
        var grant = Grant(
            id: GrantID("gr_1"),
            entitlementID: EntitlementID("pro"),
            reason: nil,
            grantedAt: Example.day(0),
            expiresAt: Example.day(10)
        )
        let running = grant.state(at: Example.day(1)).explanation
        #expect(running.steps.map(\.basis) == [.grant(grant), .clock(Example.day(10))])
        #expect(running.nextChange?.at == Example.day(10))
        grant.revokedAt = Example.day(5)
        let ended = grant.state(at: Example.day(6)).explanation
        #expect(ended.steps.map(\.basis) == [.grant(grant), .clock(Example.day(5))])
        #expect(ended.nextChange == nil)
    }
}
