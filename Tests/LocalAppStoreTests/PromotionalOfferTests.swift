import AppStoreModel
import AppStoreSigning
import LocalAppStore
import Testing

@Suite struct `Promotional offers` {
    private let key = InAppPurchaseKey.generate()

    /// The two forms of a signature.
    enum Form: CaseIterable { case first, jws }

    @Test(arguments: Form.allCases)
    func `on the running product the offer begins at the next renewal`(form: Form) throws {
        var transcript = try subscribed(to: "bronze")
        try redeem("bronze.free", for: "bronze", form: form, &transcript)
        #expect(try transcript.newNotifications() == ["OFFER_REDEEMED 1"])
        let content = try transcript.newestContent()
        #expect(content.transaction?.offerType == nil)
        #expect(content.renewalInfo?.offerType == .promotional)
        #expect(content.renewalInfo?.offerIdentifier == "bronze.free")
        #expect(content.renewalInfo?.offerDiscountType == .freeTrial)
        #expect(content.renewalInfo?.offerPeriod == "P1M")
        #expect(content.renewalInfo?.renewalPrice == 0)
        try transcript.advance(to: try at("2026-03-15"))
        #expect(try transcript.newNotifications() == ["DID_RENEW 1", "DID_RENEW 1"])
        let transactions = try transcript.account.transactions
        #expect(transactions.map(\.price) == [990, 0, 990])
        #expect(transactions.map(\.offerType) == [nil, .promotional, nil])
    }

    @Test func `an offer on a higher plan begins at once`() throws {
        var transcript = try subscribed(to: "bronze")
        try transcript.advance(to: try at("2026-01-20"))
        try redeem("gold.quarter", for: "gold", &transcript)
        #expect(try transcript.newNotifications() == ["OFFER_REDEEMED/UPGRADE 1"])
        let content = try transcript.newestContent()
        #expect(content.transaction?.offerType == .promotional)
        #expect(content.transaction?.offerDiscountType == .payUpFront)
        #expect(content.transaction?.price == 29_990)
        #expect(content.transaction?.expiresDate == (try at("2026-04-20")))
        #expect(content.renewalInfo?.offerType == nil)
        #expect(content.renewalInfo?.renewalPrice == 19_990)
        #expect(try transcript.account.transactions.map(\.isUpgraded) == [true, false])
    }

    @Test func `an offer on a lower plan begins with it at the next renewal`() throws {
        var transcript = try subscribed(to: "gold")
        try redeem("silver.half", for: "silver", &transcript)
        #expect(try transcript.newNotifications() == ["OFFER_REDEEMED/DOWNGRADE 1"])
        #expect(try transcript.newestContent().renewalInfo?.autoRenewProductId == "silver")
        #expect(try transcript.newestContent().renewalInfo?.renewalPrice == 4_990)
        try transcript.advance(to: try at("2026-04-15"))
        let transactions = try transcript.account.transactions
        #expect(transactions.map(\.productId) == ["gold", "silver", "silver", "silver"])
        #expect(transactions.map(\.price) == [19_990, 4_990, 4_990, 9_990])
    }

    @Test func `a former subscriber returns with an offer immediately`() throws {
        var transcript = try subscribed(to: "bronze")
        try transcript.leave(by: "2026-03-01")
        try redeem("silver.free", for: "silver", &transcript)
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/RESUBSCRIBE 1"])
        let content = try transcript.newestContent()
        #expect(content.transaction?.offerIdentifier == "silver.free")
        #expect(content.transaction?.expiresDate == (try at("2026-05-01")))
        // It does not use the introductory offer.
        try transcript.leave(by: "2026-06-01")
        try transcript.buy("silver")
        #expect(try transcript.subscription.offerType == .introductory)
    }

    @Test func `a second offer replaces the first one`() throws {
        var transcript = try subscribed(to: "silver")
        try transcript.advance(to: try at("2026-01-23"))
        try redeem("silver.half", for: "silver", &transcript)
        try transcript.advance(to: try at("2026-02-23"))
        #expect(try transcript.newestContent().renewalInfo?.offerIdentifier == "silver.half")
        try redeem("silver.free", for: "silver", &transcript)
        #expect(try transcript.newestContent().renewalInfo?.offerIdentifier == "silver.free")
        try transcript.advance(to: try at("2026-06-01"))
        let offers = try transcript.store.offersOfTransactions()
        #expect(offers == [.introductory, nil, .promotional, .promotional, nil])
        #expect(try transcript.account.transactions.map(\.price) == [0, 9_990, 4_990, 0, 9_990])
    }

    @Test func `a plan change cancels the pending offer`() throws {
        var transcript = try subscribed(to: "gold")
        try redeem("silver.half", for: "silver", &transcript)
        let original = try transcript.subscription.originalTransactionId
        _ = try transcript.store.changePlan(originalTransactionId: original, productId: "bronze")
        _ = try transcript.store.changePlan(originalTransactionId: original, productId: "silver")
        #expect(try transcript.newestContent().renewalInfo?.offerType == nil)
        #expect(try transcript.newestContent().renewalInfo?.renewalPrice == 9_990)
    }

    @Test func `customers who never subscribed have no promotional offers`() throws {
        var transcript = try offerStore(at: "2026-01-15", key: key)
        expectRefusal(.offerNotEligible, .unprocessable) {
            try redeem("silver.free", for: "silver", &transcript)
        }
    }

    @Test(arguments: Form.allCases)
    func `a signature is redeemed once`(form: Form) throws {
        var transcript = try subscribed(to: "bronze")
        let offer = try sign("bronze.free", for: "bronze", form: form, transcript)
        let request = PurchaseRequest(productId: "bronze", offer: offer)
        _ = try transcript.store.purchase(accountId: "a", request: request)
        expectRefusal(.signatureNonceUsed, .conflict) {
            try transcript.store.purchase(accountId: "a", request: request)
        }
        #expect(try transcript.newNotifications() == ["OFFER_REDEEMED 1"])
    }

    @Test(arguments: Form.allCases)
    func `a signature is valid for twenty-four hours by the store's clock`(form: Form) throws {
        var transcript = try subscribed(to: "bronze")
        let offer = try sign("bronze.free", for: "bronze", form: form, transcript)
        let request = PurchaseRequest(productId: "bronze", offer: offer)
        var late = transcript
        try late.store.step(to: late.store.now + dayLength + 1_000)
        expectRefusal(.init(rawValue: "signature_expired"), .unprocessable) {
            try late.store.purchase(accountId: "a", request: request)
        }
        try transcript.store.step(to: transcript.store.now + dayLength - 1_000)
        _ = try transcript.store.purchase(accountId: "a", request: request)
    }

    @Test(arguments: Form.allCases)
    func `a signature may be dated by the developer's clock instead of the store's`(form: Form) throws {
        var transcript = try subscribed(to: "bronze")
        let signedAt = transcript.store.now
        let offer = try sign("bronze.free", for: "bronze", form: form, transcript)
        let request = PurchaseRequest(productId: "bronze", offer: offer)
        try transcript.store.step(to: signedAt + 3 * dayLength)
        expectRefusal(.init(rawValue: "signature_expired"), .unprocessable) {
            try transcript.store.purchase(accountId: "a", request: request)
        }
        for wrong in [signedAt + 2 * dayLength, signedAt - dayLength] {
            transcript.store.setDeveloperTime(wrong)
            expectRefusal(.init(rawValue: "signature_expired"), .unprocessable) {
                try transcript.store.purchase(accountId: "a", request: request)
            }
        }
        transcript.store.setDeveloperTime(signedAt)
        _ = try transcript.store.purchase(accountId: "a", request: request)
    }

    @Test(arguments: Form.allCases)
    func `a signature of another or unknown key, or for another offer, is refused and redeems nothing`(
        form: Form
    ) throws {
        var transcript = try subscribed(to: "silver")
        let before = try transcript.account
        let forged = try sign("silver.free", for: "silver", form: form, transcript, key: .generate())
        let unknown = StoreError.Code(rawValue: "signature_key_unknown")
        expectRefusal(unknown, .unprocessable) { try buy("silver", forged, &transcript) }
        var other = try sign("silver.free", for: "silver", form: form, transcript)
        other.identifier = "silver.half"
        let mismatch = form == .jws ? StoreError.Code.signatureOfferMismatch : .init(rawValue: "signature_invalid")
        expectRefusal(mismatch, .unprocessable) { try buy("silver", other, &transcript) }
        expectRefusal(.signatureMissing, .invalid) {
            try transcript.redeem("promotional", "silver.free", for: "silver")
        }
        var torn = try sign("silver.free", for: "silver", form: .first, transcript)
        torn.nonce = nil
        expectRefusal(.signatureMissing, .invalid) { try buy("silver", torn, &transcript) }
        #expect(try transcript.account == before)
        #expect(try transcript.newNotifications().isEmpty)
    }

    @Test func `a JWS for one customer is refused to another one`() throws {
        var transcript = try subscribed(to: "bronze")
        _ = try transcript.store.createAccount(accountId: "b")
        let request = PurchaseRequest(productId: "bronze")
        let other = try transcript.store.purchase(accountId: "b", request: request).transactionId
        let claims = PromotionalOfferV2(productId: "bronze", offerIdentifier: "bronze.free", transactionId: other)
        let offer = try signedOffer(claims, type: "promotional", identifier: "bronze.free", transcript)
        expectRefusal(.signatureCustomerMismatch, .unprocessable) { try buy("bronze", offer, &transcript) }
        _ = try transcript.store.purchase(
            accountId: "b",
            request: PurchaseRequest(productId: "bronze", offer: offer)
        )
    }

    @Test(arguments: [true, false])
    func `the developer grants or denies the introductory offer with a JWS`(allows: Bool) throws {
        var transcript = try offerStore(at: "2026-01-15", key: key)
        if allows {
            try transcript.buy("silver")
            try transcript.leave(by: "2026-02-01")
        }
        let claims = IntroductoryOfferEligibility(
            productId: "silver",
            allowIntroductoryOffer: allows,
            transactionId: try transcript.account.appTransactionId
        )
        let offer = try signedOffer(claims, type: "introductory", identifier: nil, transcript)
        try buy("silver", offer, &transcript)
        #expect(try transcript.subscription.offerType == (allows ? .introductory : nil))
        #expect(try transcript.subscription.price == (allows ? 0 : 9_990))
    }

    @Test func `an introductory offer cannot be granted to a change of plan, nor to another customer`() throws {
        var transcript = try subscribed(to: "bronze")
        for (transactionId, code) in [
            (try transcript.account.appTransactionId, StoreError.Code.offerNotEligible),
            ("700000000000000009", .signatureCustomerMismatch),
        ] {
            let claims = IntroductoryOfferEligibility(
                productId: "silver",
                allowIntroductoryOffer: true,
                transactionId: transactionId
            )
            let offer = try signedOffer(claims, type: "introductory", identifier: nil, transcript)
            expectRefusal(code, .unprocessable) { try buy("silver", offer, &transcript) }
        }
    }

    private func subscribed(to productId: String) throws -> StoreTranscript {
        var transcript = try offerStore(at: "2026-01-15", key: key)
        try transcript.buy(productId)
        _ = try transcript.newNotifications()
        return transcript
    }

    @discardableResult
    private func buy(
        _ productId: String,
        _ offer: PurchaseRequest.Offer,
        _ transcript: inout StoreTranscript
    ) throws -> PurchaseOutcome {
        try transcript.store.purchase(accountId: "a", request: PurchaseRequest(productId: productId, offer: offer))
    }

    private func redeem(
        _ offerId: String,
        for productId: String,
        form: Form = .jws,
        _ transcript: inout StoreTranscript
    ) throws {
        try buy(productId, try sign(offerId, for: productId, form: form, transcript), &transcript)
    }

    private func signedOffer(
        _ claims: some StoreKitRequestClaims,
        type: String,
        identifier: String?,
        _ transcript: StoreTranscript,
        key: InAppPurchaseKey? = nil
    ) throws -> PurchaseRequest.Offer {
        let signer = StoreKitRequestSigner(key: key ?? self.key, bundleId: transcript.store.configuration.bundleId)
        let jws = try signer.sign(claims, nonce: .random(), at: transcript.store.now)
        return PurchaseRequest.Offer(type: type, identifier: identifier, signature: jws)
    }

    private func sign(
        _ offerId: String,
        for productId: String,
        form: Form,
        _ transcript: StoreTranscript,
        key: InAppPurchaseKey? = nil
    ) throws -> PurchaseRequest.Offer {
        guard form == .first else {
            let claims = PromotionalOfferV2(productId: productId, offerIdentifier: offerId)
            return try signedOffer(claims, type: "promotional", identifier: offerId, transcript, key: key)
        }
        let signer = StoreKitRequestSigner(key: key ?? self.key, bundleId: transcript.store.configuration.bundleId)
        let offer = PromotionalOffer(productId: productId, offerIdentifier: offerId)
        let signature = try signer.sign(offer, nonce: .random(), at: transcript.store.now)
        return PurchaseRequest.Offer(
            type: "promotional",
            identifier: offerId,
            signature: signature.encodedSignature,
            keyId: signature.keyId,
            nonce: signature.nonce.text,
            timestamp: signature.timestamp
        )
    }
}

extension LocalAppStore {
    /// The kind of offer of each transaction of the account `a`.
    func offersOfTransactions() throws -> [OfferType?] { try account("a").transactions.map(\.offerType) }
}
