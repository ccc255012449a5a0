import PerennialPrimitives
import SubscriptionCore
import Testing

@Suite struct `Amounts in events` {
    /// Statements about four transactions. One of them sometimes has no price or another price. The newest statement
    /// counts.
    private func history(_ generator: inout SplitMix64) -> [Fact] {
        (0..<20).map { _ in
            let number = Int.random(in: 0..<4, using: &generator)
            let fact = Example.period(number) { fact in
                fact.price = Money(milliunits: Int64(1_000 * number + 999), currency: "USD")
                if number == 3 {
                    fact.price = generator.one(of: [
                        nil, Money(milliunits: 0, currency: "USD"), Money(milliunits: 4_990, currency: "USD"),
                        Money(milliunits: 5_555, currency: "USD"), Money(milliunits: 990_000, currency: "JPY"),
                    ])
                }
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

    /// The price less the refunds, and 70 % of it, by currency: computed from the facts without the events' own code.
    private func netRevenue(_ ledger: PurchaseLedger) -> [String: [Int64]] {
        var sums: [String: [Int64]] = [:]
        for transaction in ledger.timeline where transaction.ownership == .purchased {
            guard let price = transaction.price else { continue }
            var kept = price.milliunits
            if let revocation = transaction.revocation, revocation.kind != .sharingEnded {
                kept -= kept * Int64(revocation.percentage ?? 100_000) / 100_000
            }
            add(kept, kept * 70 / 100, in: price.currency, to: &sums)
        }
        return sums.filter { $0.value != [0, 0] }
    }

    private func add(_ price: Int64, _ proceeds: Int64, in currency: String, to sums: inout [String: [Int64]]) {
        sums[currency] = zip(sums[currency] ?? [0, 0], [price, proceeds]).map { $0 + $1 }
    }

    @Test(arguments: Array<UInt64>(1...60))
    func `add up to the net revenue, in any order of arrival`(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let facts = history(&generator)
        for _ in 0..<10 {
            var ledger = PurchaseLedger(originalID: Example.subscription)
            var state: PurchaseState?
            var sums: [String: [Int64]] = [:]
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
                for event in change.events {
                    guard let price = event.price else { continue }
                    add(price.milliunits, event.proceeds?.milliunits ?? 0, in: price.currency, to: &sums)
                }
                state = after
                #expect(sums.filter { $0.value != [0, 0] } == netRevenue(ledger))
            }
            #expect(ledger == Example.ledger(facts))
        }
    }

    @Test func `include a price from its first statement on, and a refund returns no more than it`() {
        let prices: [Int64?] = [nil, 9_990, 9_990]
        let statements: [TransactionFact] = prices.enumerated().map { number, price in
            Example.period(0) { fact in
                fact.price = price.map { Money(milliunits: $0, currency: "USD") }
                fact.signedAt = Example.day(number)
                if number == 2 { fact.revocation = Revocation(at: Example.day(2), kind: .refund) }
            }
        }
        let ledgers: [PurchaseLedger] = (0...3).map { Example.ledger(statements.prefix($0).map(Fact.transaction)) }
        let events: [SubscriptionEvent] = zip(ledgers, ledgers.dropFirst()).flatMap { before, after in
            PurchaseChange(before: before, after: after, stateBefore: nil, stateAfter: nil, now: Example.day(4)).events
        }
        #expect(events.map(\.kind) == [.started, .priceStated, .refunded])
        #expect(events.map(\.price?.milliunits) == [nil, 9_990, -9_990])
        #expect(events.map(\.proceeds?.milliunits) == [nil, 6_993, -6_993])
        #expect(events.map(\.occurredAt) == [Example.period(0).purchasedAt, Example.day(1), Example.day(2)])
    }

    @Test func `of a partial refund are its share, and of a later full refund the rest`() {
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

    @Test func `of an upgrade include the unused part of the replaced period`() {
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
    func `of the developer's share add up to the share of the net price`(percent: Int) {
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
                policy: AccessPolicy(developerShare: share)
            )
            sum += change.events.compactMap(\.proceeds?.milliunits).reduce(0, +)
            #expect(sum == kept * Int64(percent) / 100)
        }
    }
}
