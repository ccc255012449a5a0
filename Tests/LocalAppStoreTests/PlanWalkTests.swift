import AppStoreModel
import LocalAppStore
import PerennialPrimitives
import Testing

@Suite struct `Many changes of plan` {
    private static let plans = ["gold", "silver", "silver.yearly", "bronze"]

    @Test(arguments: 1...20)
    func `whatever a customer chooses and when, periods join, refunds are part of the price, one plan renews`(
        seed: UInt64
    ) throws {
        var generator = SplitMix64(seed: seed)
        var transcript = try offerStore(at: "2026-01-31")
        try transcript.buy("silver")
        for _ in 0..<40 {
            let pause = Int64.random(in: 0...45 * dayLength, using: &generator)
            try transcript.advance(to: transcript.store.now + pause)
            let chosen = try #require(Self.plans.randomElement(using: &generator))
            let before = try transcript.subscription
            guard before.autoRenewProductId != chosen else { continue }
            let change = try transcript.store.changePlan(
                originalTransactionId: before.originalTransactionId,
                productId: chosen
            )
            let after = try transcript.subscription
            #expect(after.autoRenewProductId == chosen)
            #expect(after.productId == (change.kind.isImmediate ? chosen : before.productId))
            let wholeSecond = transcript.store.now / 1_000 * 1_000
            #expect(change.effectiveDate == (change.kind.isImmediate ? wholeSecond : before.expiresDate))
        }
        let transactions = try transcript.account.transactions
        for (earlier, later) in zip(transactions, transactions.dropFirst()) {
            let end = try #require(earlier.expiresDate)
            #expect(earlier.isUpgraded == (earlier.proratedRefund != nil))
            if earlier.isUpgraded {
                #expect(later.transactionReason == .purchase)
                #expect(earlier.purchaseDate...end ~= later.purchaseDate)
                #expect(0...earlier.price ~= (earlier.proratedRefund ?? -1))
            } else {
                #expect(later.transactionReason == .renewal)
                #expect(later.purchaseDate == end)
            }
        }
        #expect(transactions.last?.isUpgraded == false)
    }
}
