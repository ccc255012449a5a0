import AppStoreModel
import LocalAppStore
import PerennialPrimitives
import Testing

@Suite struct `Many changes of plan` {
    private static let plans = ["gold", "silver", "silver.yearly", "bronze"]

    @Test(arguments: 1...20 as ClosedRange<UInt64>, [0, dayLength])
    func `whatever a customer chooses and when, periods join, refunds are part of the price, one plan renews`(
        seed: UInt64,
        lead: Int64
    ) throws {
        var generator = SplitMix64(seed: seed)
        var transcript = try offerStore(at: "2026-01-31")
        var settings = transcript.store.settings
        settings.renewalLeadMilliseconds = lead
        try transcript.store.replaceSettings(settings)
        try transcript.buy("silver")
        for _ in 0..<40 {
            let pause = Int64.random(in: 0...45 * dayLength, using: &generator)
            try transcript.advance(to: transcript.store.now + pause)
            if Int.random(in: 0..<4, using: &generator) == 0 {
                try Self.refundAPeriod(in: &transcript, using: &generator)
            }
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
            if earlier.isUpgraded, later.isUpgraded, later.transactionReason == .renewal {
                // One upgrade replaced the running period and the next one, which had been charged early.
                #expect(later.purchaseDate == end)
                #expect(later.proratedRefund == later.price)
            } else if earlier.isUpgraded {
                #expect(later.transactionReason == .purchase)
                // A period that was charged early may be replaced before it begins.
                #expect(earlier.purchaseDate - lead...end ~= later.purchaseDate)
                if later.purchaseDate < earlier.purchaseDate { #expect(earlier.proratedRefund == earlier.price) }
                #expect(0...earlier.price ~= (earlier.proratedRefund ?? -1))
            } else {
                #expect(later.transactionReason == .renewal)
                #expect(later.purchaseDate == end)
            }
        }
        #expect(transactions.last?.isUpgraded == false)
    }

    /// Refunds a paid period. If that takes the newest one, what it refunded is given back, so that the subscription
    /// goes on.
    private static func refundAPeriod(
        in transcript: inout StoreTranscript,
        using generator: inout SplitMix64
    ) throws {
        let before = try transcript.account.transactions
        let paid = before.filter { $0.price > 0 && $0.revocationDate == nil && !$0.isUpgraded }
        let isNewest = Bool.random(using: &generator)
        guard let period = isNewest ? paid.last : paid.randomElement(using: &generator) else { return }
        try transcript.store.refund(transactionId: period.transactionId)
        let after = try transcript.account.transactions
        guard after.last?.revocationDate != nil else { return }
        let status = try transcript.subscription.status
        // The running period goes on after the refund of one that was charged early.
        #expect(status == (period.purchaseDate > transcript.store.now ? .active : .revoked))
        for (old, new) in zip(before, after) where old.revocationDate == nil && new.revocationDate != nil {
            try transcript.store.reverseRefund(transactionId: new.transactionId)
        }
        let restored = try transcript.subscription
        #expect(restored.status == .active)
        #expect(restored.expiresDate == after.last?.expiresDate)
        try transcript.store.setAutoRenew(originalTransactionId: period.originalTransactionId, enabled: true)
    }
}
