import PerennialPrimitives
import SubscriptionCore

/// Random facts with few possible values, so that ties and contradictions are common.
struct RandomFacts {
    var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    mutating func facts(_ count: Int) -> [Fact] {
        (0..<count).map { _ in fact() }
    }

    mutating func fact() -> Fact {
        switch generator.one(of: [0, 0, 0, 1, 1, 2]) {
        case 0: .transaction(transaction())
        case 1: .renewal(renewal())
        default: .status(status())
        }
    }

    mutating func transaction() -> TransactionFact {
        let number = generator.one(of: [0, 1, 2])
        return Example.period(number) { fact in
            fact.signedAt = signedAt()
            fact.evidence = evidence()
            fact.productID = product()
            fact.kind = generator.once(in: 20) ? .nonConsumable : .autoRenewable
            fact.groupID = generator.one(of: [nil, Example.group])
            fact.expiresAt = generator.once(in: 8) ? nil : Example.day(30 * number + generator.one(of: [0, 7, 30, 45]))
            fact.quantity = generator.one(of: [1, 2])
            fact.ownership = generator.one(of: [.purchased, .familyShared, .assigned, .other])
            fact.isRenewal = generator.one(of: [false, true])
            fact.isUpgraded = generator.once(in: 5)
            fact.revocation = generator.once(in: 3) ? revocation() : nil
            fact.offer = offer()
            fact.price = money()
            fact.storefront = generator.one(of: [nil, "USA", "\u{E9}", "e\u{301}"])
            fact.accountToken = generator.one(of: [nil, "", "a"])
            fact.appTransactionID = generator.one(of: [nil, "1", "2"])
            fact.chargeID = generator.one(of: [nil, nil, nil, "a", "b"])
        }
    }

    mutating func renewal() -> RenewalFact {
        let number = generator.one(of: [0, 1, 2])
        return Example.renewal(inPeriod: number, signedAt: signedAt()) { fact in
            fact.evidence = evidence()
            fact.productID = product()
            fact.nextProductID = product()
            fact.autoRenew = generator.one(of: [false, true])
            fact.expirationReason = generator.one(of: [nil, nil, .cancelled, .billingError, .other])
            fact.isInBillingRetry = generator.one(of: [false, false, true])
            fact.graceExpiresAt = generator.one(of: [nil, Example.day(30 * number + 36)])
            fact.priceIncreaseAccepted = generator.one(of: [nil, false, true])
            fact.offer = offer()
            fact.renewsAt = generator.once(in: 6) ? nil : fact.renewsAt
            fact.renewalPrice = money()
            fact.recentStartAt = generator.one(of: [nil, Example.day(0)])
            fact.accountToken = generator.one(of: [nil, "a"])
            fact.winBackOfferIDs = generator.one(of: [[], ["a"], ["a", "b"]])
            fact.isCommitted = generator.once(in: 5)
        }
    }

    mutating func status() -> StatusFact {
        var fact = Example.status(generator.one(of: SubscriptionStatus.allCases), signedAt: signedAt())
        fact.evidence = evidence()
        return fact
    }

    /// A time near the start or the end of a period, to the millisecond.
    mutating func time() -> Timestamp {
        Example.day(
            generator.one(of: Array(-1...110)),
            hours: generator.one(of: [0, 0, 1, 2, 23]),
            milliseconds: generator.one(of: [-1, 0, 0, 1])
        )
    }

    private mutating func signedAt() -> Timestamp { Example.day(generator.one(of: [0, 1, 30, 31, 60])) }

    private mutating func evidence() -> EvidenceID {
        EvidenceID(generator.one(of: ["notification:a", "transaction:b"]))
    }

    private mutating func product() -> ProductID { generator.one(of: [Example.monthly, Example.yearly]) }

    private mutating func money() -> Money? {
        generator.one(of: [
            nil, Example.price, Money(milliunits: 9_990, currency: "EUR"), Money(milliunits: 0, currency: "USD"),
        ])
    }

    private mutating func offer() -> Offer? {
        guard generator.once(in: 2) else { return nil }
        return Offer(
            kind: generator.one(of: [.introductory, .promotional, .offerCode, .winBack, .other]),
            payment: generator.one(of: [nil, .freeTrial, .payAsYouGo]),
            identifier: generator.one(of: [nil, "", "spring"]),
            period: generator.one(of: [nil, "P1W"])
        )
    }

    private mutating func revocation() -> Revocation {
        Revocation(
            at: Example.day(generator.one(of: [3, 33])),
            kind: generator.one(of: [.refund, .proratedRefund, .sharingEnded]),
            reason: generator.one(of: [nil, -1, 0, 1]),
            percentage: generator.one(of: [nil, -1, 0, 50_000, 100_000])
        )
    }
}
