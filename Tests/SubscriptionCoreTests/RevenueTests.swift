import SubscriptionCore
import Testing

@Suite
struct `Money in events` {
    /// Statements about four transactions; a transaction's price is the same in all of them.
    private func history(_ generator: inout SplitMix64) -> [Fact] {
        (0..<20).map { _ in
            let number = Int.random(in: 0..<4, using: &generator)
            let fact = Example.period(number) { fact in
                fact.price = number == 3 ? nil : Money(milliunits: Int64(1_000 * number + 999), currency: "USD")
                fact.ownership = number == 2 ? .familyShared : .purchased
                fact.signedAt = Example.day(generator.one(of: Array(0...9)))
                guard generator.once(in: 2) else { return }
                fact.revocation = Revocation(
                    at: Example.day(5),
                    kind: generator.one(of: [.refund, .proratedRefund, .sharingEnded]),
                    percentage: generator.one(of: [nil, 0, 33_333, 50_000, 100_000])
                )
            }
            return .transaction(fact)
        }
    }

    /// What was paid less what was returned, counted from the facts without the events' own code.
    private func netRevenue(_ ledger: PurchaseLedger) -> Int64 {
        ledger.timeline.reduce(0) { sum, transaction in
            guard transaction.ownership == .purchased, let price = transaction.price?.milliunits else { return sum }
            guard let revocation = transaction.revocation, revocation.kind != .sharingEnded else { return sum + price }
            return sum + price - price * Int64(revocation.percentage ?? 100_000) / 100_000
        }
    }

    @Test(arguments: Array<UInt64>(1...60))
    func `the sum over all events is net revenue, however the facts arrive`(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let facts = history(&generator)
        for _ in 0..<10 {
            var ledger = PurchaseLedger(originalID: Example.subscription)
            var state: PurchaseState?
            var sum: Int64 = 0
            var waiting = facts.shuffled(using: &generator)
            while !waiting.isEmpty {
                let batch = waiting.prefix(Int.random(in: 1...6, using: &generator))
                waiting.removeFirst(batch.count)
                let before = ledger
                for fact in batch { ledger.join(fact) }
                let now = Example.day(10)
                let after = ledger.state(at: now, policy: Example.policy)
                let change = PurchaseChange(
                    before: before,
                    after: ledger,
                    stateBefore: state,
                    stateAfter: after,
                    now: now
                )
                sum += change.events.compactMap(\.price?.milliunits).reduce(0, +)
                state = after
                #expect(sum == netRevenue(ledger))
            }
            #expect(ledger == Example.ledger(facts))
        }
    }

    @Test func `a partial refund counts its share, and a full one after it the rest`() {
        let paid = Example.period(0)
        let half = Example.period(0) { fact in
            fact.revocation = Revocation(at: Example.day(2), kind: .proratedRefund, percentage: 50_000)
            fact.signedAt = Example.day(2)
        }
        let whole = Example.period(0) { fact in
            fact.revocation = Revocation(at: Example.day(3), kind: .refund)
            fact.signedAt = Example.day(3)
        }
        let ledgers = [[paid], [paid, half], [paid, half, whole]].map { Example.ledger($0.map(Fact.transaction)) }
        let prices = zip(ledgers, ledgers.dropFirst()).map { before, after in
            PurchaseChange(before: before, after: after, stateBefore: nil, stateAfter: nil, now: Example.day(4))
                .events.map(\.price?.milliunits)
        }
        #expect(prices == [[-4_995], [-4_995]])
    }

    @Test func `an upgrade returns the unused part of the period it replaces, and says so`() {
        let paid = Example.period(0)
        let upgrade = Example.period(1) { fact in
            fact.purchasedAt = Example.day(10)
            fact.productID = Example.yearly
            fact.isRenewal = false
            fact.price = Money(milliunits: 79_990, currency: "USD")
        }
        let change = PurchaseChange(
            before: Example.ledger([.transaction(paid)]),
            after: Example.ledger([.transaction(paid), .transaction(upgrade)]),
            stateBefore: nil,
            stateAfter: nil,
            now: Example.day(10)
        )
        #expect(change.events.map(\.kind) == [.prorated, .upgraded])
        #expect(change.events.map(\.price?.milliunits) == [-6_660, 79_990])
    }

    @Test(arguments: [0, 30, 70, 85, 100])
    func `the developer's share of every step adds up to the share of what is kept`(percent: Int) {
        let share = DeveloperShare(percent: percent)
        let statements = [nil, 33_333, 66_667, nil, 100_000].enumerated().map { number, percentage in
            Example.period(0) { fact in
                fact.signedAt = Example.day(number)
                guard number > 0, let percentage else { return }
                fact.revocation = Revocation(at: Example.day(number), kind: .proratedRefund, percentage: percentage)
            }
        }
        var ledger = PurchaseLedger(originalID: Example.subscription)
        var sum: Int64 = 0
        let kept: [Int64] = [9_990, 6_661, 3_330, 9_990, 0]
        for (statement, kept) in zip(statements, kept) {
            let before = ledger
            ledger.join(.transaction(statement))
            let change = PurchaseChange(
                before: before,
                after: ledger,
                stateBefore: nil,
                stateAfter: nil,
                now: Example.day(9),
                share: share
            )
            sum += change.events.compactMap(\.proceeds?.milliunits).reduce(0, +)
            #expect(sum == kept * Int64(percent) / 100)
        }
    }
}
