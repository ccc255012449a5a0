import AppStoreModel
import AppStoreSigning
import LocalAppStore
import Testing

/// Every event of the report SUBSCRIPTION_EVENT, from its cause.
@Suite struct `Events of sales reports` {
    /// A store with one account, `a`, and its events.
    struct Scene: CustomTestStringConvertible, Sendable {
        let events: [SalesReportEvent]
        var testDescription: String { events.map(\.rawValue).joined(separator: ", ") }
        var isExample = false
        var gracePeriod = StoreSettings.GracePeriod.none
        let play: @Sendable (inout StoreTranscript) throws -> Void
    }

    static let key = InAppPurchaseKey.generate()

    static let scenes: [Scene] = [
        Scene(events: [.startIntroductoryOffer, .paidFromIntroductoryOffer, .renew, .cancel]) {
            try $0.buy("silver")
            try $0.advance(to: try at("2026-03-01"))
            try $0.leave(by: "2026-04-01")
        },
        Scene(
            events: [.startIntroductoryOffer, .introductoryOfferRenewal, .paidFromIntroductoryOffer],
            isExample: true
        ) {
            try $0.buy("plus.monthly")
            try $0.advance(to: try at("2026-05-01"))
        },
        Scene(events: [.startPromotionalOffer, .promotionalOfferRenewal, .paidFromPromotionalOffer]) {
            try $0.buy("silver")
            try promote("silver.half", for: "silver", in: &$0)
            try $0.advance(to: try at("2026-06-01"))
        },
        Scene(events: [.subscribe, .startPromotionalOffer]) {
            try $0.buy("bronze")
            try promote("bronze.free", for: "bronze", in: &$0)
            try $0.advance(to: try at("2026-03-01"))
        },
        Scene(events: [.startOfferCode, .paidFromOfferCode]) {
            try $0.redeem("offer_code", "silver.replace", for: "silver")
            try $0.advance(to: try at("2026-03-01"))
        },
        Scene(events: [.startIntroductoryOffer, .startOfferCode, .offerCodeRenewal, .paidFromOfferCode]) {
            try $0.redeem("offer_code", "silver.stack", for: "silver")
            try $0.advance(to: try at("2026-05-01"))
        },
        Scene(events: [.cancel, .startWinBackOffer, .winBackOfferRenewal, .paidFromWinBackOffer]) {
            try $0.buy("silver")
            try $0.advance(to: try at("2026-03-25"))
            try $0.leave(by: "2026-06-01")
            try $0.redeem("win_back", "back.high", for: "silver")
            try $0.advance(to: try at("2026-10-01"))
        },
        Scene(events: [.upgrade]) {
            try $0.buy("bronze")
            try $0.change(to: "gold")
        },
        Scene(events: [.downgrade]) {
            try $0.buy("gold")
            try $0.change(to: "bronze")
            try $0.advance(to: try at("2026-03-01"))
        },
        Scene(events: [.crossgradeFromIntroductoryOffer]) {
            try $0.buy("silver")
            try $0.change(to: "silver.yearly")
            try $0.advance(to: try at("2026-02-01"))
        },
        Scene(events: [.crossgrade]) {
            try $0.buy("silver")
            try $0.advance(to: try at("2026-02-01"))
            try $0.change(to: "silver.yearly")
            try $0.advance(to: try at("2026-03-01"))
        },
        Scene(events: [.upgradeFromIntroductoryOffer]) {
            try $0.buy("silver")
            try $0.change(to: "gold")
        },
        Scene(events: [.downgradeFromIntroductoryOffer]) {
            try $0.buy("silver")
            try $0.change(to: "bronze")
            try $0.advance(to: try at("2026-02-01"))
        },
        Scene(events: [.billingRetryFromIntroductoryOffer, .renewalFromBillingRetry]) {
            try $0.buy("silver")
            try $0.failUntil("2026-02-01")
            try $0.store.setPayment(accountId: "a", state: .ok)
        },
        Scene(events: [.billingRetryFromPaidSubscription, .canceledFromBillingRetry, .reactivate]) {
            try $0.buy("bronze")
            try $0.failUntil("2026-06-01")
            try $0.store.setPayment(accountId: "a", state: .ok)
            try $0.buy("bronze")
        },
        Scene(
            events: [.gracePeriodFromIntroductoryOffer, .billingRetryFromIntroductoryOffer],
            gracePeriod: .threeDays
        ) {
            try $0.buy("silver")
            try $0.failUntil("2026-01-28")
        },
        Scene(events: [.gracePeriodFromPaidSubscription, .renewalFromGracePeriod], gracePeriod: .sixteenDays) {
            try $0.buy("bronze")
            try $0.failUntil("2026-02-20")
            try $0.store.setPayment(accountId: "a", state: .ok)
        },
        Scene(events: [.gracePeriodFromPaidSubscription, .canceledFromBillingGracePeriod], gracePeriod: .sixteenDays) {
            try $0.buy("bronze")
            try $0.failUntil("2026-02-20")
            try $0.turnOff()
        },
        Scene(events: [.upgradeFromBillingRetry]) { try $0.changeInRetry(from: "bronze", to: "gold") },
        Scene(events: [.downgradeFromBillingRetry]) { try $0.changeInRetry(from: "gold", to: "bronze") },
        Scene(events: [.crossgradeFromBillingRetry]) { try $0.changeInRetry(from: "silver", to: "silver.yearly") },
        Scene(events: [.reactivateWithUpgrade]) { try $0.comeBack(from: "bronze", to: "gold") },
        Scene(events: [.reactivateWithDowngrade]) { try $0.comeBack(from: "gold", to: "bronze") },
        Scene(events: [.reactivateWithCrossgrade]) { try $0.comeBack(from: "silver", to: "silver.yearly") },
        Scene(events: [.canceledAfterRenewalExtension]) {
            let bought = try $0.buy("bronze")
            let order = ExtendRenewalDateRequest(
                extendByDays: 5,
                extendReasonCode: .customerSatisfaction,
                requestIdentifier: "1"
            )
            _ = try $0.store.extendRenewalDate(originalTransactionId: bought.originalTransactionId, request: order)
            try $0.leave(by: "2026-03-15")
        },
        Scene(events: [.refund, .cancel, .reactivate]) {
            let bought = try $0.buy("bronze")
            try $0.store.refund(transactionId: bought.transactionId)
            try $0.advance(to: try at("2026-01-20"))
            try $0.store.reverseRefund(transactionId: bought.transactionId)
        },
    ]

    @Test(arguments: scenes)
    func `an event is reported on its day, from its cause`(scene: Scene) throws {
        var transcript = try StoreTranscript.withAccount(
            at: try at("2026-01-15"),
            settings: StoreSettings(gracePeriod: scene.gracePeriod),
            catalog: scene.isExample ? nil : try offerCatalog()
        )
        transcript.store.acceptSignatures(by: [Self.key.publicKey])
        try scene.play(&transcript)
        let end = transcript.store.now
        try transcript.advance(to: end + 2 * dayLength)
        let days = Int((end - (try at("2026-01-15"))) / dayLength) + 2
        let lines = try transcript.store.finishedDays(min(days, 365)).flatMap {
            try transcript.store.report(.subscriptionEvent, $0, version: "1_4")
        }
        let names = lines.compactMap { $0["Event"] }
        for event in scene.events { #expect(names.contains(event.rawValue), "\(names)") }
        // One account has one transaction for each event of a sale.
        let unsold: Set<String> = ["Refund"]
        let sales = names.filter { name in
            !unsold.contains(name)
                && !["Cancel", "Billing Retry from", "Grace Period from"].contains {
                    name.hasPrefix($0)
                }
        }
        let isReversed = try transcript.account.transactions.count == 1 && names.contains("Refund")
        #expect(sales.count == (try transcript.account.transactions.count) + (isReversed ? 1 : 0), "\(names)")
    }

    @Test func `every supported event has a test scene`() {
        #expect(Set(Self.scenes.flatMap(\.events)) == Set(SalesReportEvent.allCases))
    }

    @Test func `the older version has no win-back offers`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), catalog: try offerCatalog())
        try transcript.buy("silver")
        try transcript.advance(to: try at("2026-03-25"))
        try transcript.leave(by: "2026-06-01")
        try transcript.redeem("win_back", "back.high", for: "silver")
        try transcript.advance(to: try at("2026-06-03"))
        let old = try transcript.store.report(.subscriptionEvent, "2026-06-01")
        #expect(old.map { $0["Event"] } == ["Reactivate"])
        #expect(old.first?["Days Canceled"] == "40")
        let text = try #require(try transcript.store.reportText(.subscription, "2026-06-01"))
        #expect(!text.contains("Win-back"))
        let new = try transcript.store.report(.subscription, "2026-06-01", version: "1_4")
        #expect(new.map { $0["Pay As You Go Win-back Offers"] } == ["1"])
        #expect(new.first?["Promotional Offer ID"] == "back.high")
    }

    /// Redeems a promotional offer for the account `a`.
    static func promote(
        _ offerId: String,
        for productId: String,
        in transcript: inout StoreTranscript
    ) throws {
        let signer = StoreKitRequestSigner(key: key, bundleId: transcript.store.configuration.bundleId)
        let claims = PromotionalOfferV2(productId: productId, offerIdentifier: offerId)
        let jws = try signer.sign(claims, nonce: .random(), at: transcript.store.now)
        let offer = PurchaseRequest.Offer(type: "promotional", identifier: offerId, signature: jws)
        _ = try transcript.store.purchase(accountId: "a", request: PurchaseRequest(productId: productId, offer: offer))
    }
}

extension StoreTranscript {
    /// Changes the plan of the account's only subscription.
    mutating func change(to productId: String, fixesPayment: Bool = false) throws {
        _ = try store.changePlan(
            originalTransactionId: try subscription.originalTransactionId,
            productId: productId,
            fixesPayment: fixesPayment
        )
    }

    /// Turns renewal of the account's only subscription off.
    mutating func turnOff() throws {
        try store.setAutoRenew(originalTransactionId: try subscription.originalTransactionId, enabled: false)
    }

    /// Declines the account's card, and advances the time.
    mutating func failUntil(_ day: String) throws {
        try store.setPayment(accountId: "a", state: .declined)
        try advance(to: try at(day))
    }

    fileprivate mutating func changeInRetry(from old: String, to new: String) throws {
        try buy(old)
        try failUntil("2026-02-20")
        try change(to: new, fixesPayment: true)
    }

    fileprivate mutating func comeBack(from old: String, to new: String) throws {
        try buy(old)
        try leave(by: "2026-03-10")
        try buy(new)
    }
}
