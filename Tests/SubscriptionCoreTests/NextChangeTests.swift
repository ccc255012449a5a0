import SubscriptionCore
import Testing

@Suite struct `The next change` {
    private static let seeds = Array<UInt64>(1...60)

    /// Evaluates the state between now and the next change, and at the next change.
    @Test(arguments: seeds)
    func `is the first time at which the state differs`(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        for _ in 0..<10 {
            let ledger = Example.ledger(random.facts(6))
            let now = random.time()
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
            #expect(after != state, "seed \(seed): nothing changes at the announced time")
        }
    }

    private func expectUnchanged(
        _ state: PurchaseState,
        of ledger: PurchaseLedger,
        at times: [Timestamp],
        from now: Timestamp
    ) {
        for time in times {
            #expect(ledger.state(at: time, policy: Example.policy) == state, "from \(now) to \(time)")
        }
    }

    @Test(arguments: seeds)
    func `is absent after a limited number of changes`(seed: UInt64) {
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
