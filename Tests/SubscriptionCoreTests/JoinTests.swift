import SubscriptionCore
import Testing

@Suite struct `Joining facts` {
    private static let seeds = Array<UInt64>(1...40)

    @Test(arguments: seeds)
    func `leads to the same state in any order and with duplicates`(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        let facts = random.facts(14)
        let expected = Example.ledger(facts)
        let times = (0..<5).map { _ in random.time() }
        for _ in 0..<20 {
            let duplicates = facts.filter { _ in random.generator.once(in: 2) }
            let ledger = Example.ledger((facts + duplicates).shuffled(using: &random.generator))
            #expect(ledger == expected)
            #expect(ledger.facts == expected.facts)
            for now in times {
                #expect(
                    ledger.state(at: now, policy: Example.policy) == expected.state(at: now, policy: Example.policy)
                )
            }
        }
    }

    @Test(arguments: seeds)
    func `is commutative`(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        let (left, right) = (Example.ledger(random.facts(6)), Example.ledger(random.facts(6)))
        #expect(joined(left, right) == joined(right, left))
    }

    @Test(arguments: seeds)
    func `is associative`(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        let ledgers = (0..<3).map { _ in Example.ledger(random.facts(4)) }
        let fromLeft = joined(joined(ledgers[0], ledgers[1]), ledgers[2])
        let fromRight = joined(ledgers[0], joined(ledgers[1], ledgers[2]))
        #expect(fromLeft == fromRight)
    }

    @Test(arguments: seeds)
    func `is idempotent, and returns false for known facts`(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        let facts = random.facts(10)
        var ledger = Example.ledger(facts)
        let before = ledger
        for fact in facts { #expect(ledger.join(fact) == false) }
        #expect(ledger.join(before) == false)
        #expect(ledger == before)
    }

    @Test(arguments: seeds)
    func `selects the same of two statements that were signed in the same millisecond`(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        for _ in 0..<20 {
            var left = random.transaction()
            var right = random.transaction()
            right.id = left.id
            right.signedAt = left.signedAt
            #expect(
                Example.ledger([.transaction(left), .transaction(right)])
                    == Example.ledger([.transaction(right), .transaction(left)])
            )
            // The same is true of statements that differ in one property.
            right = left
            left.revocation = Revocation(at: Example.day(1), kind: .refund)
            right.revocation = Revocation(at: Example.day(1), kind: .refund, reason: -1)
            #expect(
                Example.ledger([.transaction(left), .transaction(right)])
                    == Example.ledger([.transaction(right), .transaction(left)])
            )
        }
    }

    @Test func `selects the newest statement, in any order of arrival`() {
        let old = Example.period(0)
        let new = Example.period(0) { fact in
            fact.signedAt = Example.day(3)
            fact.revocation = Revocation(at: Example.day(2), kind: .refund)
        }
        #expect(Example.ledger([.transaction(old), .transaction(new)])[old.id] == new)
        #expect(Example.ledger([.transaction(new), .transaction(old)])[old.id] == new)
    }

    @Test func `ignores an outdated fact`() {
        var ledger = Example.ledger([.renewal(Example.renewal(inPeriod: 1))])
        #expect(ledger.join(.renewal(Example.renewal(inPeriod: 0))) == false)
        #expect(ledger.renewal == Example.renewal(inPeriod: 1))
    }

    @Test func `ignores a fact about another purchase`() {
        var ledger = Example.ledger([.transaction(Example.period(0))])
        let before = ledger
        #expect(ledger.join(.transaction(Example.oneTime(.nonConsumable))) == false)
        #expect(ledger == before)
    }

    private func joined(_ left: PurchaseLedger, _ right: PurchaseLedger) -> PurchaseLedger {
        var ledger = left
        ledger.join(right)
        return ledger
    }
}
