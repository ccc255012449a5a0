import SubscriptionCore
import Testing

@testable import SubscriptionOperations

/// When Apple is asked about a subscription.
@Suite struct `A poll plan` {
    private static let purchase = OriginalTransactionID("2000000000000001")
    private static let evidence = EvidenceID(rawValue: "e")
    private static let day: Int64 = 86_400_000
    private static let end: Int64 = 1_000 * day
    private let plan = PollPlan(settings: PollingSettings(), policy: AccessPolicy())

    /// The ledger of a subscription with one period of 30 days.
    private static func ledger(
        statedAt stated: Int64?,
        autoRenew: Bool = true,
        expired: RenewalFact.ExpirationReason? = nil,
        isInRetry: Bool = false,
        graceEnd: Int64? = nil,
        signedAt: Int64 = end - 30 * day
    ) -> PurchaseLedger {
        var ledger = PurchaseLedger(originalID: purchase)
        var period = TransactionFact(
            id: TransactionID(rawValue: purchase.rawValue),
            originalID: purchase,
            productID: ProductID("pro"),
            kind: .autoRenewable,
            purchasedAt: Timestamp(milliseconds: end - 30 * day),
            originallyPurchasedAt: Timestamp(milliseconds: end - 30 * day),
            signedAt: Timestamp(milliseconds: signedAt),
            evidence: evidence
        )
        period.expiresAt = Timestamp(milliseconds: end)
        _ = ledger.join(.transaction(period))
        if let stated {
            let renewal = RenewalFact(
                originalID: purchase,
                productID: ProductID("pro"),
                nextProductID: ProductID("pro"),
                autoRenew: autoRenew,
                signedAt: Timestamp(milliseconds: stated),
                evidence: evidence,
                expirationReason: expired,
                isInBillingRetry: isInRetry,
                graceExpiresAt: graceEnd.map(Timestamp.init(milliseconds:))
            )
            _ = ledger.join(.renewal(renewal))
        }
        return ledger
    }

    private func next(_ ledger: PurchaseLedger, at now: Int64) -> Int64? {
        plan.next(for: ledger, at: Timestamp(milliseconds: now))?.milliseconds
    }

    @Test
    func `asks a day before the end, then 5 minutes, 1, 6 and 24 hours after it, until Apple has said more`() {
        let times = [-Self.day, 300_000, 3_600_000, 21_600_000, Self.day].map { Self.end + $0 }
        var stated = Self.end - 30 * Self.day
        for time in times {
            #expect(next(Self.ledger(statedAt: stated), at: stated) == time)
            // Whatever Apple tells before that time changes nothing; what it tells at that time is the answer.
            #expect(next(Self.ledger(statedAt: time - 1), at: time) == time)
            stated = time
        }
        #expect(next(Self.ledger(statedAt: stated), at: stated) == nil)
    }

    @Test
    func `asks soon after a submitted transaction, which does not tell whether it renews`() {
        #expect(
            next(Self.ledger(statedAt: nil, signedAt: Self.end - Self.day), at: Self.end) == Self.end - Self.day
                + 300_000
        )
    }

    @Test
    func `asks daily in billing retry, and after the grace period`() {
        let stated = Self.end + 3_600_000
        let retry = Self.ledger(statedAt: stated, isInRetry: true)
        #expect(next(retry, at: stated) == stated + Self.day)
        let graceEnd = stated + 7_200_000
        let grace = Self.ledger(statedAt: stated, isInRetry: true, graceEnd: graceEnd)
        #expect(next(grace, at: stated) == graceEnd + 300_000)
        let later = graceEnd + 300_000
        #expect(next(Self.ledger(statedAt: later, isInRetry: true, graceEnd: graceEnd), at: later) == later + Self.day)
    }

    @Test
    func `asks about billing retry that ended by time until Apple tells why`() {
        let stated = Self.end + 59 * Self.day
        let over = Self.end + 70 * Self.day
        #expect(next(Self.ledger(statedAt: stated, isInRetry: true), at: over) == stated + Self.day)
        let final = Self.ledger(statedAt: over, expired: .billingError)
        #expect(next(final, at: over) == nil)
        let lastStatement = Self.end + 100 * Self.day
        #expect(next(Self.ledger(statedAt: lastStatement, isInRetry: true), at: lastStatement) == nil)
    }

    @Test
    func `asks once after the end of a cancelled subscription, and not after the reason is known`() {
        let cancelled = Self.ledger(statedAt: Self.end - 1, autoRenew: false)
        #expect(next(cancelled, at: Self.end + 1) == Self.end + 300_000)
        let known = Self.ledger(statedAt: Self.end + 1, autoRenew: false, expired: .cancelled)
        #expect(next(known, at: Self.end + 1) == nil)
    }

    @Test
    func `never asks about a time that Apple has stated already, for any time of the last answer`() {
        for stated in stride(from: Self.end - 40 * Self.day, through: Self.end + 40 * Self.day, by: 1_234_567) {
            for isInRetry in [false, true] where !isInRetry || stated >= Self.end {
                let ledger = Self.ledger(statedAt: stated, isInRetry: isInRetry)
                for now in [stated, stated + 1, Self.end, Self.end + 90 * Self.day] {
                    if let time = next(ledger, at: now) { #expect(time > stated) }
                }
            }
        }
    }
}
