import SubscriptionCore
import Testing

/// Refunds as they follow from the statements of the store.
@Suite struct `Refunds of a purchase` {
    private static let seeds = Array<UInt64>(1...300)
    private static let id = TransactionID(Example.subscription.rawValue)

    /// The rows that a server keeps, changed by one fact at a time.
    private struct Rows {
        var ledger = PurchaseLedger(originalID: Example.subscription)
        var statements: [TransactionFact] = []
        var refunds: [Refund] = []
        /// How often all statements were needed.
        var derivations = 0

        mutating func take(_ fact: Fact) {
            var change = RefundChange()
            change.note(fact, before: ledger)
            ledger.join(fact)
            if case .transaction(let statement) = fact { statements.append(statement) }
            if change.needsStatements || (change.mayConcernStored && !refunds.isEmpty) {
                derivations += 1
                refunds = derived.refunds
            } else {
                let changed = change.refunds
                refunds.removeAll { old in changed.contains { $0.transactionID == old.transactionID } }
                refunds = (refunds + changed).sorted { $0.transactionID < $1.transactionID }
            }
        }

        var derived: PurchaseRefunds {
            PurchaseRefunds(of: Example.subscription, statements: statements, announcements: [])
        }
    }

    private static func rows(_ statements: [TransactionFact]) -> Rows {
        var rows = Rows()
        for statement in statements { rows.take(.transaction(statement)) }
        return rows
    }

    /// The first period as the store signs it on a day, refunded or not.
    private static func statement(
        onDay day: Int,
        refunded: Bool = false,
        _ change: (inout TransactionFact) -> Void = { _ in }
    ) -> TransactionFact {
        Example.period(0) { fact in
            fact.signedAt = Example.day(day)
            fact.evidence = EvidenceID("notification:\(day)")
            if refunded {
                fact.revocation = Revocation(at: Example.day(day), kind: .refund, reason: 1, percentage: 50_000)
            }
            change(&fact)
        }
    }

    @Test func `have what the store stated, and half of the price for half a refund`() throws {
        let rows = Self.rows([Self.statement(onDay: 0), Self.statement(onDay: 5, refunded: true)])
        let refund = try #require(rows.refunds.first)
        #expect(rows.refunds.count == 1)
        #expect(refund.transactionID == Self.id)
        #expect(refund.purchaseID == Example.subscription)
        #expect(refund.productID == Example.monthly)
        #expect(refund.storefront == "USA")
        #expect(refund.price == Example.price)
        #expect(refund.amount == Money(milliunits: 4_995, currency: "USD"))
        #expect(refund.refundedAt == Example.day(5))
        #expect(refund.reasonName == "app_issue")
        #expect(refund.reversedAt == nil)
        #expect(rows.derivations == 0)
    }

    @Test func `are reversed by the first statement after them, in every order`() {
        let statements = [
            Self.statement(onDay: 0), Self.statement(onDay: 5, refunded: true), Self.statement(onDay: 6),
            Self.statement(onDay: 9),
        ]
        let inOrder = Self.rows(statements)
        #expect(inOrder.refunds.map(\.reversedAt) == [Example.day(6)])
        #expect(inOrder.derivations == 0)
        for order in permutations(of: statements) {
            #expect(Self.rows(order + order).refunds == inOrder.refunds, "\(order.map(\.signedAt.milliseconds))")
        }
    }

    @Test func `stand again after a second refund`() {
        let rows = Self.rows([
            Self.statement(onDay: 5, refunded: true), Self.statement(onDay: 6),
            Self.statement(onDay: 7, refunded: true),
        ])
        #expect(rows.refunds.map(\.refundedAt) == [Example.day(7)])
        #expect(rows.refunds.map(\.reversedAt) == [nil])
    }

    @Test func `do not include the end of sharing, or of a replaced period`() {
        let shared = Self.statement(onDay: 5, refunded: true) { $0.ownership = .familyShared }
        let ended = Self.statement(onDay: 5) { $0.revocation = Revocation(at: Example.day(5), kind: .sharingEnded) }
        let replaced = Self.statement(onDay: 5) { fact in
            fact.isUpgraded = true
            fact.revocation = Revocation(at: Example.day(5), kind: .proratedRefund, percentage: 50_000)
        }
        for statement in [shared, ended, replaced] {
            let rows = Self.rows([Self.statement(onDay: 0), statement, Self.statement(onDay: 6)])
            #expect(rows.refunds.isEmpty)
        }
        let refunded = Self.statement(onDay: 5, refunded: true) { $0.isUpgraded = true }
        #expect(Self.rows([refunded]).refunds.count == 1, "an upgraded period can be refunded in full")
    }

    @Test func `count once for a charge with several copies`() {
        let first = Self.statement(onDay: 0) { $0.chargeID = "a" }
        let copy = Example.period(1) { fact in
            fact.chargeID = "a"
            fact.signedAt = Example.day(5)
            fact.revocation = Revocation(at: Example.day(5), kind: .refund)
        }
        for order in permutations(of: [first, copy]) {
            #expect(Self.rows(order).refunds.map(\.transactionID) == [Self.id])
        }
    }

    @Test(arguments: seeds)
    func `are the same one by one as all at once, for any statements in any order`(seed: UInt64) {
        var random = RandomFacts(seed: seed)
        let facts = random.facts(16)
        var rows = Rows()
        for fact in facts + facts.shuffled(using: &random.generator) {
            rows.take(fact)
            #expect(rows.refunds == rows.derived.refunds)
        }
        let again = facts.shuffled(using: &random.generator).reduce(into: Rows()) { $0.take($1) }
        #expect(again.refunds == rows.refunds)
    }

    @Test func `have the newest request and the newest refusal, in every order`() {
        func event(_ kind: SubscriptionEvent.Kind, day: Int, _ reason: String? = nil) -> SubscriptionEvent {
            SubscriptionEvent(
                kind: kind,
                occurredAt: Example.day(day),
                purchaseID: Example.subscription,
                productID: Example.monthly,
                transactionID: Self.id,
                details: reason.map { ["reason": $0] }
            )
        }
        let events = [
            event(.refundRequested, day: 1, "legal"), event(.refundDeclined, day: 2),
            event(.refundRequested, day: 3, "unintended_purchase"), event(.autoRenewOff, day: 4),
        ]
        let expected = RequestedRefund(
            transactionID: Self.id,
            purchaseID: Example.subscription,
            requestedAt: Example.day(3),
            reason: "unintended_purchase",
            declinedAt: Example.day(2)
        )
        for order in permutations(of: events) {
            let derived = PurchaseRefunds(of: Example.subscription, statements: [], announcements: order + order)
            #expect(derived.requests == [expected])
            #expect(derived.refunds.isEmpty)
        }
    }

    @Test func `are counted beside the charges that were paid`() {
        var ledger = PurchaseLedger(originalID: Example.subscription)
        ledger.join(.transaction(Example.period(0) { $0.price = Money(milliunits: 0, currency: "USD") }))
        for number in 1...2 { ledger.join(.transaction(Example.period(number))) }
        ledger.join(.transaction(Example.period(3) { $0.ownership = .familyShared }))
        #expect(ledger.paidChargeCount == 2)
        #expect(!ledger.hasRefund)
        ledger.join(.transaction(Self.statement(onDay: 40, refunded: true)))
        #expect(ledger.hasRefund)
    }
}

/// All orders of some values.
private func permutations<Value>(of values: [Value]) -> [[Value]] {
    guard values.count > 1 else { return [values] }
    return values.indices.flatMap { index in
        var rest = values
        let value = rest.remove(at: index)
        return permutations(of: rest).map { [value] + $0 }
    }
}
