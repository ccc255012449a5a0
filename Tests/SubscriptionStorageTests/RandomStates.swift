import PerennialPrimitives
import SubscriptionCore
import SubscriptionStorage

extension PurchaseState {
    /// A random state of either kind, possible or not.
    static func random(_ random: inout some RandomNumberGenerator) -> PurchaseState {
        Bool.random(using: &random) ? .subscription(.random(&random)) : .oneTime(.random(&random))
    }
}

extension SubscriptionState {
    fileprivate static func random(_ random: inout some RandomNumberGenerator) -> SubscriptionState {
        SubscriptionState(
            id: .random(&random),
            productID: .random(&random),
            groupID: random.maybe { .random(&$0) },
            status: random.one(of: SubscriptionStatus.allCases),
            givesAccess: .random(using: &random),
            periodType: random.one(of: PeriodType.allCases),
            ownership: random.one(of: Ownership.allCases),
            startedAt: .random(&random),
            periodStartsAt: .random(&random),
            periodEndsAt: .random(&random),
            graceExpiresAt: random.maybe { .random(&$0) },
            autoRenew: .random(using: &random),
            nextProductID: random.maybe { .random(&$0) },
            billingIssue: random.maybe { $0.one(of: BillingIssue.allCases) },
            endReason: random.maybe { $0.one(of: EndReason.allCases) },
            endedEarlyAt: random.maybe { .random(&$0) },
            price: random.maybe { .random(&$0) },
            storefront: random.maybe { $0.text() },
            introductoryOfferUsed: .random(using: &random),
            nextChangeAt: random.maybe { .random(&$0) },
            nextPeriod: random.maybe { .random(&$0) } ?? NextPeriod(),
            formerProducts: (0..<Int.random(in: 0...2, using: &random)).map { _ in
                FormerProduct(id: .random(&random), endedAt: .random(&random))
            }
        )
    }
}

extension SubscriptionState.NextPeriod {
    fileprivate static func random(_ random: inout some RandomNumberGenerator) -> SubscriptionState.NextPeriod {
        SubscriptionState.NextPeriod(
            price: random.maybe { .random(&$0) },
            offer: random.maybe { .random(&$0) },
            winBackOfferIDs: (0..<Int.random(in: 0...2, using: &random)).map { _ in random.text() },
            awaitedUntil: random.maybe { .random(&$0) },
            priceIncreaseAccepted: random.maybe { .random(using: &$0) }
        )
    }
}

extension Offer {
    fileprivate static func random(_ random: inout some RandomNumberGenerator) -> Offer {
        Offer(
            kind: random.one(of: Kind.allCases),
            payment: random.maybe { $0.one(of: Payment.allCases) },
            identifier: random.maybe { $0.text() },
            period: random.maybe { $0.text() }
        )
    }
}

extension OneTimePurchaseState {
    fileprivate static func random(_ random: inout some RandomNumberGenerator) -> OneTimePurchaseState {
        OneTimePurchaseState(
            id: .random(&random),
            productID: .random(&random),
            kind: random.one(of: ProductKind.allCases),
            quantity: .random(in: .min ... .max, using: &random),
            ownership: random.one(of: Ownership.allCases),
            purchasedAt: .random(&random),
            revokedAt: random.maybe { .random(&$0) },
            price: random.maybe { .random(&$0) },
            storefront: random.maybe { $0.text() }
        )
    }
}

extension SubscriptionEvent {
    /// A random event of any kind.
    static func random(_ random: inout some RandomNumberGenerator) -> SubscriptionEvent {
        SubscriptionEvent(
            kind: random.one(of: Kind.allCases),
            occurredAt: .random(&random),
            purchaseID: random.maybe { .random(&$0) },
            productID: random.maybe { .random(&$0) },
            transactionID: random.maybe { .random(&$0) },
            price: random.maybe { .random(&$0) },
            proceeds: random.maybe { .random(&$0) },
            entitlement: random.maybe { .random(&$0) },
            details: random.maybe { random in
                Dictionary((0..<3).map { _ in (random.text(), random.text()) }, uniquingKeysWith: { first, _ in first })
            }
        )
    }
}

extension Entitlement {
    fileprivate static func random(_ random: inout some RandomNumberGenerator) -> Entitlement {
        Entitlement(
            id: .random(&random),
            isActive: .random(using: &random),
            inactiveReason: random.maybe { $0.one(of: InactiveReason.allCases) },
            expiresAt: random.maybe { .random(&$0) },
            graceExpiresAt: random.maybe { .random(&$0) },
            productID: random.maybe { .random(&$0) },
            purchaseID: random.maybe { .random(&$0) },
            grantID: random.maybe { .random(&$0) },
            willRenew: .random(using: &random),
            hasBillingIssue: .random(using: &random),
            source: random.one(of: Source.allCases)
        )
    }
}

extension Timestamp {
    fileprivate static func random(_ random: inout some RandomNumberGenerator) -> Timestamp {
        Timestamp(milliseconds: .random(in: .min ... .max, using: &random))
    }
}

extension Money {
    fileprivate static func random(_ random: inout some RandomNumberGenerator) -> Money {
        Money(milliunits: .random(in: .min ... .max, using: &random), currency: random.text())
    }
}

extension TextIdentifier {
    fileprivate static func random(_ random: inout some RandomNumberGenerator) -> Self { Self(random.text()) }
}

extension RandomNumberGenerator {
    mutating func maybe<Value>(_ value: (inout Self) -> Value) -> Value? {
        Bool.random(using: &self) ? value(&self) : nil
    }

    fileprivate mutating func text() -> String {
        String(
            (0..<Int.random(in: 0...20, using: &self)).map { _ in one(of: ["a", "7", "\u{0}", "é", "長", "\"", "-"]) }
        )
    }
}

extension TransactionFact {
    /// A random transaction.
    static func random(
        _ random: inout some RandomNumberGenerator,
        of purchase: OriginalTransactionID
    ) -> TransactionFact {
        TransactionFact(
            id: .random(&random),
            originalID: purchase,
            productID: .random(&random),
            kind: random.one(of: ProductKind.allCases),
            purchasedAt: .random(&random),
            originallyPurchasedAt: .random(&random),
            signedAt: .random(&random),
            evidence: .random(&random),
            groupID: random.maybe { .random(&$0) },
            expiresAt: random.maybe { .random(&$0) },
            quantity: random.maybe { .random(in: .min ... .max, using: &$0) } ?? 1,
            ownership: random.one(of: Ownership.allCases),
            isRenewal: .random(using: &random),
            isUpgraded: .random(using: &random),
            revocation: random.maybe { random in
                Revocation(
                    at: .random(&random),
                    kind: random.one(of: [.refund, .proratedRefund, .sharingEnded]),
                    reason: random.maybe { .random(in: .min ... .max, using: &$0) },
                    percentage: random.maybe { .random(in: .min ... .max, using: &$0) }
                )
            },
            offer: random.maybe { .random(&$0) },
            price: random.maybe { .random(&$0) },
            storefront: random.maybe { $0.text() },
            accountToken: random.maybe { $0.text() },
            appTransactionID: random.maybe { $0.text() },
            chargeID: random.maybe { $0.text() }
        )
    }
}

extension RenewalFact {
    /// A random renewal record.
    static func random(_ random: inout some RandomNumberGenerator, of purchase: OriginalTransactionID) -> RenewalFact {
        RenewalFact(
            originalID: purchase,
            productID: .random(&random),
            nextProductID: .random(&random),
            autoRenew: .random(using: &random),
            signedAt: .random(&random),
            evidence: .random(&random),
            expirationReason: random.maybe { $0.one(of: ExpirationReason.inOrder) },
            isInBillingRetry: .random(using: &random),
            graceExpiresAt: random.maybe { .random(&$0) },
            priceIncreaseAccepted: random.maybe { .random(using: &$0) },
            offer: random.maybe { .random(&$0) },
            renewsAt: random.maybe { .random(&$0) },
            renewalPrice: random.maybe { .random(&$0) },
            recentStartAt: random.maybe { .random(&$0) },
            accountToken: random.maybe { $0.text() },
            winBackOfferIDs: (0..<Int.random(in: 0...2, using: &random)).map { _ in random.text() },
            isCommitted: .random(using: &random)
        )
    }
}

extension StatusFact {
    /// A random status.
    static func random(_ random: inout some RandomNumberGenerator, of purchase: OriginalTransactionID) -> StatusFact {
        StatusFact(
            originalID: purchase,
            status: random.one(of: SubscriptionStatus.allCases),
            signedAt: .random(&random),
            evidence: .random(&random)
        )
    }
}
