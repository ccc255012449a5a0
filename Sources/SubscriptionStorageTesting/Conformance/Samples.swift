import SubscriptionCore
import SubscriptionStorage

/// Values for the checks.
enum Samples {
    static let app = AppID("com.example.one/production")
    static let otherApp = AppID("com.example.one/sandbox")
    static let purchaseID = OriginalTransactionID("2000000000000001")
    static let customerID = CustomerID("u_42")
    static let start: Int64 = 1_790_000_000_000

    static func time(_ offset: Int64) -> Timestamp { Timestamp(milliseconds: start + offset) }

    static func evidence(
        _ id: String,
        app: AppID = Samples.app,
        kind: EvidenceRecord.Kind = .notification,
        bytes: [UInt8] = Array("header.payload.signature".utf8)
    ) -> EvidenceRecord {
        EvidenceRecord(
            appID: app,
            id: EvidenceID(id),
            kind: kind,
            signedAt: time(1),
            receivedAt: time(2),
            signedBytes: bytes,
            type: kind == .notification ? "DID_RENEW" : nil,
            subtype: kind == .notification ? "BILLING_RECOVERY" : nil
        )
    }

    static func transaction(
        _ id: String = "2000000000000002",
        of purchase: OriginalTransactionID = purchaseID,
        signedAt: Int64 = 5
    ) -> TransactionFact {
        TransactionFact(
            id: TransactionID(id),
            originalID: purchase,
            productID: ProductID("pro.monthly"),
            kind: .autoRenewable,
            purchasedAt: time(1),
            originallyPurchasedAt: time(0),
            signedAt: time(signedAt),
            evidence: EvidenceID("notification:1")
        )
    }

    static var fullTransaction: TransactionFact {
        var fact = transaction()
        fact.groupID = SubscriptionGroupID("21000001")
        fact.expiresAt = time(100)
        fact.quantity = 3
        fact.ownership = .familyShared
        fact.isRenewal = true
        fact.isUpgraded = true
        fact.revocation = Revocation(at: time(50), kind: .proratedRefund, reason: 1, percentage: 45_500)
        fact.offer = Offer(kind: .promotional, payment: .payAsYouGo, identifier: "spring", period: "P1M")
        fact.price = Money(milliunits: 9_990, currency: "USD")
        fact.storefront = "USA"
        fact.accountToken = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
        fact.appTransactionID = "704289572311513229"
        fact.chargeID = "2000000000000201"
        return fact
    }

    static func renewal(of purchase: OriginalTransactionID = purchaseID, signedAt: Int64 = 5) -> RenewalFact {
        RenewalFact(
            originalID: purchase,
            productID: ProductID("pro.monthly"),
            nextProductID: ProductID("pro.yearly"),
            autoRenew: true,
            signedAt: time(signedAt),
            evidence: EvidenceID("notification:1")
        )
    }

    static var fullRenewal: RenewalFact {
        var fact = renewal()
        fact.autoRenew = false
        fact.expirationReason = .priceIncreaseNotAccepted
        fact.isInBillingRetry = true
        fact.graceExpiresAt = time(200)
        fact.priceIncreaseAccepted = false
        fact.offer = Offer(kind: .winBack, payment: .freeTrial, identifier: "back", period: "P1W")
        fact.renewsAt = time(100)
        fact.renewalPrice = Money(milliunits: 79_990, currency: "EUR")
        fact.recentStartAt = time(0)
        fact.accountToken = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
        fact.winBackOfferIDs = ["back.50", "", "back\n30"]
        fact.isCommitted = true
        return fact
    }

    static func status(
        _ status: SubscriptionStatus = .active,
        of purchase: OriginalTransactionID = purchaseID,
        signedAt: Int64 = 5
    ) -> StatusFact {
        StatusFact(
            originalID: purchase,
            status: status,
            signedAt: time(signedAt),
            evidence: EvidenceID("notification:1")
        )
    }

    static var event: SubscriptionEvent {
        SubscriptionEvent(
            kind: .renewed,
            occurredAt: time(1),
            purchaseID: purchaseID,
            productID: ProductID("pro.monthly")
        )
    }

    static var fullEvent: SubscriptionEvent {
        var event = event
        event.kind = .entitlementExtended
        event.transactionID = TransactionID("2000000000000002")
        event.price = Money(milliunits: -9_990, currency: "USD")
        event.proceeds = Money(milliunits: -6_993, currency: "USD")
        let gives = EntitlementRule(definitions: []).entitlements(from: [state(nextChangeAt: 100)])
        event.entitlement = gives[EntitlementID("21000001")]
        return event
    }

    static func ledger(nextChangeAt offset: Int64, purchase: OriginalTransactionID = purchaseID) -> PurchaseLedger {
        var fact = transaction(of: purchase)
        fact.groupID = SubscriptionGroupID("21000001")
        fact.expiresAt = time(offset)
        var ledger = PurchaseLedger(originalID: purchase)
        ledger.join(.transaction(fact))
        return ledger
    }

    /// A subscription that is active until a time offset.
    static func state(nextChangeAt offset: Int64, purchase: OriginalTransactionID = purchaseID) -> PurchaseState {
        let now = Timestamp(milliseconds: time(offset).milliseconds - 1)
        guard let state = ledger(nextChangeAt: offset, purchase: purchase).state(at: now, policy: AccessPolicy())
        else { preconditionFailure("a ledger with a transaction has a state") }
        return state
    }

    static var oneTimeState: PurchaseState {
        var fact = transaction()
        fact.kind = .nonConsumable
        fact.revocation = Revocation(at: time(9), kind: .refund)
        var ledger = PurchaseLedger(originalID: purchaseID)
        ledger.join(.transaction(fact))
        guard let state = ledger.state(at: time(10), policy: AccessPolicy()) else {
            preconditionFailure("a ledger with a transaction has a state")
        }
        return state
    }

    static func purchase(
        _ id: OriginalTransactionID = purchaseID,
        customer: CustomerID? = customerID,
        nextChangeAt offset: Int64? = nil
    ) -> PurchaseRecord {
        PurchaseRecord(
            id: id,
            customerID: customer,
            claim: customer == nil ? nil : .submitted,
            state: offset.map { state(nextChangeAt: $0, purchase: id) },
            evaluatedAt: time(7)
        )
    }
}
