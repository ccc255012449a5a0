import AppStoreModel
import SubscriptionCore
import SubscriptionIntake
import Testing

/// Apple's payloads become facts. Unknown values are stored as unknown, never rejected.
@Suite struct `Facts from Apple's payloads` {
    private static let evidence = EvidenceID("notification:test")

    private static func transaction() -> JWSTransactionDecodedPayload {
        JWSTransactionDecodedPayload(
            transactionId: "2",
            originalTransactionId: "1",
            bundleId: "com.example.app",
            productId: "pro.monthly",
            purchaseDate: 1000,
            originalPurchaseDate: 500,
            quantity: 1,
            type: .autoRenewableSubscription,
            inAppOwnershipType: .purchased,
            signedDate: 2000,
            environment: .production
        )
    }

    private static func renewalInfo() -> JWSRenewalInfoDecodedPayload {
        JWSRenewalInfoDecodedPayload(
            originalTransactionId: "1",
            productId: "pro.monthly",
            autoRenewProductId: "pro.yearly",
            autoRenewStatus: .on,
            signedDate: 2000,
            environment: .production
        )
    }

    private static func fact(_ payload: JWSTransactionDecodedPayload) throws -> TransactionFact {
        guard case .transaction(let fact) = AppleIntake.fact(of: payload, evidence: evidence) else {
            throw Unexpected()
        }
        return fact
    }

    private static func fact(_ payload: JWSRenewalInfoDecodedPayload) throws -> RenewalFact {
        guard case .renewal(let fact) = AppleIntake.fact(of: payload, evidence: evidence) else { throw Unexpected() }
        return fact
    }

    private struct Unexpected: Error {}

    @Test(
        arguments: [
            (0, 0), (9_990, 9_990), (1_000_000_000_000_000, 1_000_000_000_000_000), (1_000_000_000_000_001, nil),
            (9_000_000_000_000_000_000, nil), (.max, nil), (-1, nil), (-9_000_000_000_000_000_000, nil), (.min, nil),
        ] as [(Int64, Int64?)]
    )
    func `have no price if the number is out of range`(signed: Int64, known: Int64?) throws {
        var payload = Self.transaction()
        payload.price = signed
        payload.currency = "USD"
        #expect(try Self.fact(payload).price?.milliunits == known)
        var renewalInfo = Self.renewalInfo()
        renewalInfo.renewalPrice = signed
        renewalInfo.currency = "USD"
        #expect(try Self.fact(renewalInfo).renewalPrice?.milliunits == known)
    }

    @Test(
        arguments: [
            // Tiers that add up to the seats. Without such tiers the average counts.
            ([(9_990, 3), (7_990, 2)], 45_950), ([], 45_000), ([(9_990, 3)], 45_000), ([(.max, 5)], nil),
        ] as [([(Int64, Int32)], Int64?)]
    )
    func `have the price of all seats`(tiers: [(Int64, Int32)], paid: Int64?) throws {
        var payload = Self.transaction()
        payload.quantity = 5
        payload.price = 9_000
        payload.currency = "USD"
        #expect(try Self.fact(payload).price?.milliunits == 9_000)
        payload.multiSeatInfo = TransactionMultiSeatInfo(
            priceTiers: tiers.map { SeatPriceTier(price: $0.0, quantity: $0.1) }
        )
        #expect(try Self.fact(payload).price?.milliunits == paid)
    }

    @Test(
        arguments: [
            // Tiers that add up to the seats that renew. Without such tiers the average counts, if the seats are known.
            ([(9_990, 3), (7_990, 2)], 5, 45_950), ([], 5, 45_000), ([(9_990, 3)], 5, 45_000), ([(.max, 5)], 5, nil),
            ([(9_990, 3)], nil, 29_970), ([], nil, nil),
        ] as [([(Int64, Int32)], Int32?, Int64?)]
    )
    func `have the next price of all seats that renew`(
        tiers: [(Int64, Int32)],
        seats: Int32?,
        next: Int64?
    ) throws {
        var payload = Self.renewalInfo()
        payload.renewalQuantity = seats
        payload.renewalPrice = 9_000
        payload.currency = "USD"
        #expect(try Self.fact(payload).renewalPrice?.milliunits == 9_000)
        payload.multiSeatInfo = RenewalMultiSeatInfo(
            renewalPriceTiers: tiers.map { SeatPriceTier(price: $0.0, quantity: $0.1) }
        )
        #expect(try Self.fact(payload).renewalPrice?.milliunits == next)
    }

    @Test func `have both prices of a price change for all seats`() {
        var transaction = Self.transaction()
        (transaction.quantity, transaction.price, transaction.currency) = (5, 9_990, "USD")
        transaction.multiSeatInfo = TransactionMultiSeatInfo(priceTiers: [SeatPriceTier(price: 9_990, quantity: 5)])
        var renewal = Self.renewalInfo()
        (renewal.renewalQuantity, renewal.renewalPrice, renewal.currency) = (4, 9_990, "USD")
        renewal.multiSeatInfo = RenewalMultiSeatInfo(renewalPriceTiers: [SeatPriceTier(price: 9_990, quantity: 4)])
        let notification = ResponseBodyV2DecodedPayload(
            notificationType: .priceChange,
            notificationUUID: "A",
            version: "2.0",
            signedDate: 3000
        )
        let event = AppleIntake.announcement(
            of: notification,
            transaction: transaction,
            renewalInfo: renewal,
            appTransaction: nil
        )
        #expect(event?.details == ["old_price": "49950", "new_price": "39960", "currency": "USD"])
    }

    @Test(
        arguments: [(.downgrade, "autumn"), (nil, "autumn"), (.upgrade, "spring")] as [(NotificationSubtype?, String)]
    )
    func `have the offer of the next period, except for an upgrade`(subtype: NotificationSubtype?, offer: String) {
        var transaction = Self.transaction()
        transaction.offerIdentifier = "spring"
        var renewal = Self.renewalInfo()
        renewal.offerIdentifier = "autumn"
        let notification = ResponseBodyV2DecodedPayload(
            notificationType: .offerRedeemed,
            notificationUUID: "A",
            version: "2.0",
            signedDate: 3000,
            subtype: subtype
        )
        let event = AppleIntake.announcement(
            of: notification,
            transaction: transaction,
            renewalInfo: renewal,
            appTransaction: nil
        )
        #expect(event?.details == ["offer_id": offer])
    }

    @Test func `include the transaction, the renewal and the status of a notification`() throws {
        var data = NotificationData(bundleId: "com.example.app", environment: .production)
        data.status = .billingGracePeriod
        let notification = ResponseBodyV2DecodedPayload(
            notificationType: .didFailToRenew,
            notificationUUID: "A",
            version: "2.0",
            signedDate: 3000,
            data: data
        )
        let facts = AppleIntake.facts(
            of: notification,
            transaction: Self.transaction(),
            renewalInfo: Self.renewalInfo(),
            evidence: Self.evidence
        )
        #expect(facts.count == 3)
        #expect(facts.allSatisfy { $0.originalID == OriginalTransactionID("1") })
        let status = StatusFact(
            originalID: OriginalTransactionID("1"),
            status: .inGracePeriod,
            signedAt: Timestamp(milliseconds: 3000),
            evidence: Self.evidence
        )
        #expect(facts.last == .status(status))
    }

    @Test(
        arguments: zip(
            [1, 2, 3, 4, 5],
            [.active, .expired, .inBillingRetry, .inGracePeriod, .revoked] as [SubscriptionCore.SubscriptionStatus]
        )
    )
    func `have a status for each known number, and none for a new number`(
        number: Int32,
        expected: SubscriptionCore.SubscriptionStatus
    ) {
        func status(_ number: Int32) -> [Fact] {
            var data = NotificationData(bundleId: "com.example.app", environment: .production)
            data.status = AppStoreModel.SubscriptionStatus(rawValue: number)
            let notification = ResponseBodyV2DecodedPayload(
                notificationType: .didRenew,
                notificationUUID: "A",
                version: "2.0",
                signedDate: 3000,
                data: data
            )
            let facts = AppleIntake.facts(
                of: notification,
                transaction: Self.transaction(),
                renewalInfo: nil,
                evidence: Self.evidence
            )
            return Array(facts.dropFirst())
        }
        guard case .status(let fact)? = status(number).first else {
            Issue.record("no status")
            return
        }
        #expect(fact.status == expected)
        #expect(status(number + 100).isEmpty)
    }

    @Test func `do not exist for a test notification`() {
        let notification = ResponseBodyV2DecodedPayload(
            notificationType: .test,
            notificationUUID: "A",
            version: "2.0",
            signedDate: 3000,
            data: NotificationData(bundleId: "com.example.app", environment: .sandbox)
        )
        let facts = AppleIntake.facts(of: notification, transaction: nil, renewalInfo: nil, evidence: Self.evidence)
        #expect(facts.isEmpty)
    }

    @Test func `have the signed identifiers, times, price and account token`() throws {
        var payload = Self.transaction()
        payload.expiresDate = 9000
        payload.price = 9990
        payload.currency = "EUR"
        payload.appAccountToken = "0F2E6F0A-2D7E-4D0B-8A11-6A4B6A0F9C3E"
        payload.transactionReason = .renewal
        payload.offerType = .introductory
        payload.offerDiscountType = .payUpFront
        payload.offerPeriod = "P1M"
        let fact = try Self.fact(payload)
        #expect(fact.expiresAt == Timestamp(milliseconds: 9000))
        #expect(fact.price == Money(milliunits: 9990, currency: "EUR"))
        #expect(fact.accountToken == "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e")
        #expect(fact.isRenewal)
        #expect(fact.offer == Offer(kind: .introductory, payment: .payUpFront, period: "P1M"))
    }

    @Test func `have the percentage of a revocation, and derive a missing type from the ownership`() throws {
        var payload = Self.transaction()
        payload.revocationDate = 7000
        payload.revocationType = .proratedRefund
        payload.revocationPercentage = 50_000
        let at = Timestamp(milliseconds: 7000)
        #expect(try Self.fact(payload).revocation == Revocation(at: at, kind: .proratedRefund, percentage: 50_000))
        payload.revocationType = nil
        payload.revocationPercentage = nil
        #expect(try Self.fact(payload).revocation == Revocation(at: at, kind: .refund))
        payload.inAppOwnershipType = .familyShared
        #expect(try Self.fact(payload).revocation == Revocation(at: at, kind: .sharingEnded))
    }

    @Test func `have unknown values instead of errors for new values`() throws {
        var payload = Self.transaction()
        payload.type = ProductType(rawValue: "Invented")
        payload.inAppOwnershipType = InAppOwnershipType(rawValue: "INVENTED")
        payload.offerType = OfferType(rawValue: 99)
        payload.offerDiscountType = OfferDiscountType(rawValue: "INVENTED")
        let fact = try Self.fact(payload)
        #expect(fact.kind == .unknown)
        #expect(fact.ownership == .other)
        #expect(fact.offer == Offer(kind: .other, payment: .other))
    }

    @Test func `have the same evidence for a retry, regardless of letter case`() {
        let upper = AppleIntake.evidenceID(notificationUUID: "5B0F7A52-6D0C-4D0E-9F55-0C6F5C1D2A10")
        let lower = AppleIntake.evidenceID(notificationUUID: "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a10")
        #expect(upper == lower)
    }

    @Test func `do not exist for Xcode and for local testing`() {
        #expect(AppleIntake.environment(.production) == .production)
        #expect(AppleIntake.environment(.sandbox) == .sandbox)
        #expect(AppleIntake.environment(.xcode) == nil)
        #expect(AppleIntake.environment(.localTesting) == nil)
    }
}
