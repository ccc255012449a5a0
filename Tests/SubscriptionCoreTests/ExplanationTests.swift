import SubscriptionCore
import Testing

/// Explanations of every row of the state table, of one-time purchases, and of grants.
@Suite struct `The explanation of a state` {
    @Test(arguments: `The state of a subscription`.all)
    func `cites known facts that lead to the same state without the others`(row: StateCase) throws {
        let ledger = Example.ledger(row.facts)
        let explanation = try #require(ledger.explanation(at: row.now, policy: Example.policy))
        let cited = explanation.steps.compactMap { step -> Fact? in
            switch step.basis {
            case .transaction(let fact): .transaction(fact)
            case .renewal(let fact): .renewal(fact)
            case .status(let fact): .status(fact)
            case .grant, .rule, .policy, .ownership, .clock: nil
            }
        }
        #expect(cited.allSatisfy(ledger.facts.contains))
        let state = try #require(Example.state(cited, at: row.now))
        #expect(state.status == row.status)
        #expect(state.givesAccess == row.givesAccess)
        #expect(state.endReason == row.endReason)
        #expect(explanation.nextChange?.at == row.nextChangeAt)
        if let change = explanation.nextChange {
            let next = try #require(Example.state(row.facts, at: change.at))
            #expect(change.givesAccess == next.givesAccess)
            #expect(change.status == next.status)
        }
    }

    @Test(arguments: ProductKind.allCases.filter { $0 != .autoRenewable }, [false, true])
    func `cites only the transaction of a one-time purchase`(kind: ProductKind, isRefunded: Bool) throws {
        let fact = Example.oneTime(kind) { fact in
            if isRefunded { fact.revocation = Revocation(at: Example.day(3), kind: .refund) }
        }
        let explanation = try #require(
            Example.ledger([.transaction(fact)]).explanation(at: Example.day(4), policy: Example.policy)
        )
        #expect(explanation.steps.map(\.basis) == [.transaction(fact)])
        #expect(explanation.nextChange == nil)
    }

    @Test func `does not exist for an unknown purchase`() {
        let ledger = PurchaseLedger(originalID: Example.subscription)
        #expect(ledger.explanation(at: Example.day(0), policy: Example.policy) == nil)
    }

    @Test func `of a grant cites the operator and the clock`() {
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
