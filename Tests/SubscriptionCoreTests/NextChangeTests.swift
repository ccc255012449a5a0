import SubscriptionCore
import Testing

@Suite
struct `The next change` {
    private static let seeds = Array<UInt64>(1...60)

    /// Instants before and at the next change, and some between.
    @Test(arguments: seeds)
    func `a state stays the same until its next change, and at that instant another one begins`(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        for _ in 0..<10 {
            let ledger = Example.ledger(random.facts(6))
            let now = random.instant()
            guard let state = ledger.state(at: now, policy: Example.policy) else { continue }
            guard let next = state.nextChangeAt else {
                expectUnchanged(state, of: ledger, at: [Example.day(400), Example.day(4_000)], from: now)
                continue
            }
            #expect(next > now)
            let between = (0..<6).map { _ in
                Timestamp(milliseconds: .random(in: now.milliseconds..<next.milliseconds, using: &random.generator))
            }
            expectUnchanged(state, of: ledger, at: between + [next.adding(milliseconds: -1)], from: now)
            let after = ledger.state(at: next, policy: Example.policy)
            #expect(after != state, "seed \(seed): nothing changes at the announced instant")
        }
    }

    private func expectUnchanged(
        _ state: PurchaseState,
        of ledger: PurchaseLedger,
        at instants: [Timestamp],
        from now: Timestamp
    ) {
        for instant in instants {
            #expect(ledger.state(at: instant, policy: Example.policy) == state, "from \(now) to \(instant)")
        }
    }

    @Test(arguments: seeds)
    func `following the announced instants comes to an end`(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        let ledger = Example.ledger(random.facts(8))
        var now = Example.day(-1)
        var steps = 0
        while let next = ledger.state(at: now, policy: Example.policy)?.nextChangeAt, steps < 10 {
            now = next
            steps += 1
        }
        #expect(steps < 10)
        #expect(ledger.state(at: now, policy: Example.policy)?.nextChangeAt == nil)
    }
}
