import PerennialPrimitives
import SubscriptionCore
import Testing

/// The store gives a restored transaction another identifier.
@Suite struct `A restored transaction` {
    private static func statement(_ number: Int, signedOn day: Int, isRefunded: Bool = false) -> TransactionFact {
        Example.oneTime(.nonConsumable) { fact in
            if number > 0 {
                fact.id = TransactionID("300000000000009\(number)")
                fact.purchasedAt = Example.day(number)
            }
            fact.signedAt = Example.day(day)
            if isRefunded { fact.revocation = Revocation(at: Example.day(day), kind: .refund) }
        }
    }

    private static func period(
        _ number: Int,
        copy: Int = 0,
        signedOn day: Int,
        charge: String? = nil,
        _ change: (inout TransactionFact) -> Void = { _ in }
    ) -> TransactionFact {
        Example.period(number) { fact in
            if copy > 0 { fact.id = TransactionID("290000000000000\(copy)") }
            fact.chargeID = charge ?? "charge-\(number)"
            fact.signedAt = Example.day(day)
            change(&fact)
        }
    }

    private func sum(_ events: [SubscriptionEvent]) -> Int64 { events.compactMap(\.price?.milliunits).reduce(0, +) }

    @Test func `of a one-time purchase is the same charge, in any order of arrival`() throws {
        for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0]] {
            var recorder = EventRecorder(Example.oneTime(.nonConsumable).originalID)
            let events = order.flatMap { number in
                recorder.events([.transaction(Self.statement(number, signedOn: number))], at: Example.day(5))
            }
            #expect(events.map(\.kind) == [.purchaseMade] && sum(events) == 199_990)
            guard case .oneTime(let state)? = recorder.ledger.state(at: Example.day(5), policy: Example.policy) else {
                Issue.record("no one-time purchase")
                return
            }
            #expect(state.purchasedAt == Example.day(0) && state.givesAccess)
        }
    }

    @Test(arguments: [0, 1])
    func `of a one-time purchase is refunded with the original, and the original with it`(refunded: Int) {
        var recorder = EventRecorder(Example.oneTime(.nonConsumable).originalID)
        var events = recorder.events([0, 1].map { .transaction(Self.statement($0, signedOn: $0)) }, at: Example.day(2))
        let refund = Fact.transaction(Self.statement(refunded, signedOn: 3, isRefunded: true))
        events += recorder.events([refund], at: Example.day(3))
        #expect(events.map(\.kind) == [.purchaseMade, .purchaseRefunded] && sum(events) == 0)
        #expect(recorder.ledger.state(at: Example.day(4), policy: Example.policy)?.givesAccess == false)
        let reversal = Fact.transaction(Self.statement(refunded, signedOn: 5))
        #expect(recorder.kinds([reversal], at: Example.day(5)) == [.purchaseRefundReversed])
        #expect(recorder.ledger.state(at: Example.day(6), policy: Example.policy)?.givesAccess == true)
    }

    @Test func `of a period is the same charge, renews nothing, and is refunded with the original`() {
        var recorder = EventRecorder()
        var events = recorder.events([.transaction(Self.period(0, signedOn: 0))], at: Example.day(0))
        events += recorder.events([.transaction(Self.period(1, signedOn: 30))], at: Example.day(30))
        let copy = Self.period(1, copy: 1, signedOn: 31) { $0.isRenewal = false }
        events += recorder.events([.transaction(copy)], at: Example.day(31))
        #expect(events.map(\.kind) == [.started, .renewed])
        let refunded = Self.period(1, signedOn: 33) { $0.revocation = Revocation(at: Example.day(33), kind: .refund) }
        events += recorder.events([.transaction(refunded)], at: Example.day(33))
        #expect(events.map(\.kind) == [.started, .renewed, .refunded] && sum(events) == Example.price.milliunits)
        #expect(recorder.ledger.state(at: Example.day(34), policy: Example.policy)?.givesAccess == false)
        // Another charge of the same purchase is not a copy.
        #expect(recorder.kinds([.transaction(Self.period(2, signedOn: 60))], at: Example.day(60)) == [.renewed])
    }

    @Test func `of an extended period has the extended end`() {
        let extended = Self.period(0, signedOn: 5) { $0.expiresAt = Example.day(40) }
        let facts: [Fact] = [.transaction(Self.period(0, copy: 1, signedOn: 1)), .transaction(extended)]
        #expect(Example.state(facts, at: Example.day(35))?.givesAccess == true)
        #expect(Example.state(facts, at: Example.day(35))?.nextChangeAt == Example.day(40))
    }

    @Test func `has the price of the newest statement with a price`() {
        let facts: [Fact] = [
            .transaction(Self.period(0, signedOn: 0)),
            .transaction(Self.period(0, copy: 1, signedOn: 1) { $0.price = nil }),
        ]
        #expect(Example.state(facts, at: Example.day(2))?.price == Example.price)
    }

    @Test func `is upgraded with the original, and starts at the same time`() throws {
        let copy = Self.period(0, copy: 1, signedOn: 1) { fact in
            fact.isUpgraded = true
            fact.purchasedAt = Example.day(-1)
        }
        let ledger = Example.ledger([.transaction(Self.period(0, signedOn: 0)), .transaction(copy)])
        let steps = try #require(ledger.explanation(at: Example.day(2), policy: Example.policy)?.steps)
        #expect(steps.first?.text.hasPrefix("The customer upgraded") == true)
        #expect(Example.state(ledger.facts, at: Example.day(2))?.periodStartsAt == Example.day(0))
    }

    @Test func `is still a copy after the ledger is read from storage`() {
        let statements = [Self.period(0, signedOn: 0), Self.period(0, copy: 1, signedOn: 1)]
        let read = PurchaseLedger(originalID: Example.subscription, transactions: statements, renewal: nil, status: nil)
        #expect(read == Example.ledger(statements.map(Fact.transaction)))
        let change = PurchaseChange(
            before: Example.ledger([]),
            after: read,
            stateBefore: nil,
            stateAfter: read.state(at: Example.day(2), policy: Example.policy),
            now: Example.day(2)
        )
        #expect(change.events.map(\.kind) == [.started])
    }

    @Test func `has the same product, and another product is another charge`() {
        var recorder = EventRecorder(Example.oneTime(.nonConsumable).originalID)
        let another = Example.oneTime(.nonConsumable, product: ProductID("other")) { $0.id = TransactionID("7") }
        let facts = [Example.oneTime(.nonConsumable), another].map(Fact.transaction)
        #expect(recorder.kinds(facts, at: Example.day(1)) == [.purchaseMade, .purchaseMade])
    }

    @Test func `is cited beside the first transaction if it was signed later`() throws {
        let (first, copy) = (Self.statement(0, signedOn: 0), Self.statement(1, signedOn: 3, isRefunded: true))
        let explanation = try #require(
            Example.ledger([.transaction(first), .transaction(copy)])
                .explanation(at: Example.day(4), policy: Example.policy)
        )
        #expect(explanation.steps.map(\.basis) == [.transaction(first), .transaction(copy)])
        let alone = Example.ledger([.transaction(Self.statement(0, signedOn: 4)), .transaction(copy)])
            .explanation(at: Example.day(5), policy: Example.policy)
        #expect(alone?.steps.count == 1)
    }

    @Test func `is not cited if another charge gives access`() throws {
        let present = Self.period(1, signedOn: 30)
        let facts = [Self.period(0, signedOn: 0), Self.period(0, copy: 1, signedOn: 40), present]
        let explanation = try #require(
            Example.ledger(facts.map(Fact.transaction)).explanation(at: Example.day(41), policy: Example.policy)
        )
        #expect(explanation.steps.map(\.basis) == [.transaction(present), .clock(Example.day(60))])
    }

    /// Statements of four transactions. Two are copies of each other if both have a charge identifier. Older statements
    /// have none.
    private func history(_ generator: inout SplitMix64) -> [TransactionFact] {
        (0..<16).map { number in
            let copy = generator.one(of: [0, 1])
            let period = generator.one(of: [0, 1])
            let charge: String? = generator.once(in: 4) ? "other" : nil
            return Self.period(period, copy: copy == 1 ? period + 1 : 0, signedOn: number, charge: charge) { fact in
                if generator.once(in: 4) { fact.chargeID = nil }
                fact.price = generator.one(of: [
                    Money(milliunits: 4_990, currency: "USD"), Money(milliunits: 5_555, currency: "USD"),
                    Money(milliunits: 990_000, currency: "JPY"),
                ])
                guard generator.once(in: 3) else { return }
                fact.revocation = Revocation(
                    at: Example.day(5),
                    kind: .refund,
                    percentage: generator.one(of: [nil, 33_333, 100_000])
                )
            }
        }
    }

    /// The net amount of each charge, by currency: computed from the newest statements without the ledger's own code.
    private func netRevenue(_ statements: [TransactionFact]) -> [String: [Int64]] {
        let newest = Dictionary(grouping: statements, by: \.id).values.compactMap {
            $0.max { $0.signedAt < $1.signedAt }
        }
        var sums: [String: [Int64]] = [:]
        for copies in Dictionary(grouping: newest, by: { $0.chargeID ?? "own \($0.id)" }).values {
            guard let last = copies.max(by: { $0.signedAt < $1.signedAt }), let price = last.price else { continue }
            var kept = price.milliunits
            if let revocation = last.revocation { kept -= kept * Int64(revocation.percentage ?? 100_000) / 100_000 }
            sums[price.currency] = zip(sums[price.currency] ?? [0, 0], [kept, kept * 70 / 100]).map { $0 + $1 }
        }
        return sums.filter { $0.value != [0, 0] }
    }

    @Test(arguments: Array<UInt64>(1...60))
    func `counts once, in any order of the statements and with late charge identifiers`(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let statements = history(&generator)
        for _ in 0..<10 {
            var recorder = EventRecorder()
            var received: [TransactionFact] = []
            var sums: [String: [Int64]] = [:]
            for statement in statements.shuffled(using: &generator) {
                received.append(statement)
                for event in recorder.events([.transaction(statement)], at: Example.day(50)) {
                    guard let price = event.price else { continue }
                    let step = [price.milliunits, event.proceeds?.milliunits ?? 0]
                    sums[price.currency] = zip(sums[price.currency] ?? [0, 0], step).map { $0 + $1 }
                }
                #expect(sums.filter { $0.value != [0, 0] } == netRevenue(received), "seed \(seed)")
            }
            #expect(recorder.ledger == Example.ledger(statements.map(Fact.transaction)))
        }
    }
}
