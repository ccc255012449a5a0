import SubscriptionCore

/// Facts of one subscription, dated by day: day 0 is the first purchase, and a period has 30 days.
enum Example {
    static let subscription = OriginalTransactionID("2000000000000001")
    static let monthly = ProductID("pro.monthly")
    static let yearly = ProductID("pro.yearly")
    static let group = SubscriptionGroupID("21000001")
    static let price = Money(milliunits: 9_990, currency: "USD")
    static let policy = AccessPolicy()

    static func day(_ day: Int, hours: Int = 0, milliseconds: Int64 = 0) -> Timestamp {
        let hour: Int64 = 3_600_000
        return Timestamp(
            milliseconds: 1_790_000_000_000 + Int64(day) * 24 * hour + Int64(hours) * hour + milliseconds
        )
    }

    /// A period of 30 days, numbered from 0. The first one has the identifier of the purchase.
    static func period(_ number: Int, _ change: (inout TransactionFact) -> Void = { _ in }) -> TransactionFact {
        var fact = TransactionFact(
            id: TransactionID("200000000000000\(number + 1)"),
            originalID: subscription,
            productID: monthly,
            kind: .autoRenewable,
            purchasedAt: day(30 * number),
            originallyPurchasedAt: day(0),
            signedAt: day(30 * number),
            evidence: EvidenceID("notification:period-\(number)"),
            groupID: group,
            expiresAt: day(30 * number + 30),
            isRenewal: number > 0,
            price: price,
            storefront: "USA"
        )
        change(&fact)
        return fact
    }

    /// The renewal record during a period.
    static func renewal(
        inPeriod number: Int,
        signedAt: Timestamp? = nil,
        _ change: (inout RenewalFact) -> Void = { _ in }
    ) -> RenewalFact {
        var fact = RenewalFact(
            originalID: subscription,
            productID: monthly,
            nextProductID: monthly,
            autoRenew: true,
            signedAt: signedAt ?? day(30 * number),
            evidence: EvidenceID("notification:renewal-\(number)"),
            renewsAt: day(30 * number + 30),
            renewalPrice: price
        )
        change(&fact)
        return fact
    }

    static func status(_ status: SubscriptionStatus, signedAt: Timestamp) -> StatusFact {
        StatusFact(
            originalID: subscription,
            status: status,
            signedAt: signedAt,
            evidence: EvidenceID("notification:status")
        )
    }

    static func oneTime(
        _ kind: ProductKind,
        product: ProductID = ProductID("lifetime"),
        id: OriginalTransactionID = OriginalTransactionID("3000000000000001"),
        _ change: (inout TransactionFact) -> Void = { _ in }
    ) -> TransactionFact {
        var fact = TransactionFact(
            id: TransactionID(id.rawValue),
            originalID: id,
            productID: product,
            kind: kind,
            purchasedAt: day(0),
            originallyPurchasedAt: day(0),
            signedAt: day(0),
            evidence: EvidenceID("notification:one-time"),
            price: Money(milliunits: 199_990, currency: "USD")
        )
        change(&fact)
        return fact
    }

    static func ledger(_ facts: [Fact]) -> PurchaseLedger {
        var ledger = PurchaseLedger(originalID: facts.first?.originalID ?? subscription)
        for fact in facts { ledger.join(fact) }
        return ledger
    }

    static func state(_ facts: [Fact], at now: Timestamp) -> SubscriptionState? {
        guard case .subscription(let state) = ledger(facts).state(at: now, policy: policy) else { return nil }
        return state
    }
}
