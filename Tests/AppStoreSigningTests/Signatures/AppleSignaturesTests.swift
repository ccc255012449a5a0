import AppStoreModel
import AppStoreSigning
import Testing

/// Our verifiers with signatures of Apple's own library.
@Suite struct `Signatures that Apple checks` {
    private typealias Fixtures = AppleSignedFixtures

    private func check<Claims: StoreKitRequestClaims>(_ jws: String, as kind: Claims.Type) throws -> Claims {
        let payload = try UnverifiedJWS.decode(jws).payload
        let issuedAt = try #require(payload["iat"]?.integerValue)
        let request = try StoreKitRequestVerifier(publicKeys: [Fixtures.key()])
            .check(jws, as: kind, bundleId: Fixtures.bundleId, now: issuedAt * 1000)
            .get()
        #expect(request.issuedAt == issuedAt * 1000)
        #expect(request.nonce.text == payload["nonce"]?.stringValue)
        #expect(request.keyId == "ABCDEFGHIJ")
        return request.claims
    }

    private func checkOffer(_ encoded: String, appAccountToken: String?) throws -> SignatureCheck<PromotionalOffer> {
        let signature = PromotionalOfferSignature(
            offer: PromotionalOffer(
                productId: "pro.monthly",
                offerIdentifier: "winter",
                appAccountToken: appAccountToken
            ),
            keyId: try Fixtures.key().keyId,
            nonce: try SignatureNonce(Fixtures.nonce),
            timestamp: Fixtures.timestamp,
            encodedSignature: encoded
        )
        return PromotionalOfferSignatureVerifier(publicKeys: [try Fixtures.key()])
            .check(signature, bundleId: Fixtures.bundleId, now: Fixtures.timestamp + 1000)
    }

    @Test func `an offer of Apple's library is accepted, whatever the case of the customer's token`() throws {
        let token = Fixtures.accountToken
        #expect(try checkOffer(Fixtures.offerForCustomer, appAccountToken: token).accepted?.productId == "pro.monthly")
        #expect(try checkOffer(Fixtures.offerForCustomer, appAccountToken: token.lowercased()).accepted != nil)
        #expect(try checkOffer(Fixtures.offerForAnybody, appAccountToken: nil).accepted != nil)
        #expect(try checkOffer(Fixtures.offerForAnybody, appAccountToken: "").accepted != nil)
    }

    @Test func `an offer of Apple's library for one customer is refused for another`() throws {
        #expect(try checkOffer(Fixtures.offerForCustomer, appAccountToken: nil).refusal?.code == .signature)
        #expect(try checkOffer(Fixtures.offerForAnybody, appAccountToken: "someone").refusal?.code == .signature)
    }

    @Test func `a JWS of Apple's library is accepted with its claims`() throws {
        #expect(
            try check(Fixtures.offerV2, as: PromotionalOfferV2.self)
                == PromotionalOfferV2(
                    productId: "pro.monthly",
                    offerIdentifier: "winter",
                    transactionId: "2000000000000001"
                )
        )
        #expect(
            try check(Fixtures.offerV2ForAnybody, as: PromotionalOfferV2.self)
                == PromotionalOfferV2(productId: "pro.monthly", offerIdentifier: "winter")
        )
        #expect(
            try check(Fixtures.eligibility, as: IntroductoryOfferEligibility.self)
                == IntroductoryOfferEligibility(
                    productId: "pro.monthly",
                    allowIntroductoryOffer: false,
                    transactionId: "2000000000000001"
                )
        )
    }

    @Test func `an Advanced Commerce request of Apple's library decodes as the model's`() throws {
        let signed = try check(Fixtures.advancedCommerce, as: AdvancedCommerceSignedRequest.self)
        let request = try AdvancedCommerceSubscriptionReactivateInAppRequest(json: signed.request)

        #expect(signed.operation == "REACTIVATE_SUBSCRIPTION")
        #expect(request.transactionId == "2000000000000001")
        #expect(request.storefront == "USA")
        #expect(request.requestInfo.requestReferenceId == "0b7d0e3c-3d0a-4c53-8f0e-7f0f2b0a4b11")
    }

    @Test func `a JWS of Apple's library for one purpose is refused for another`() throws {
        let check = StoreKitRequestVerifier(publicKeys: [try Fixtures.key()])
            .check(Fixtures.offerV2, as: IntroductoryOfferEligibility.self, bundleId: Fixtures.bundleId, now: 0)

        #expect(check.refusal?.code == .audience)
    }

    @Test func `the bearer token of Apple's client is accepted`() throws {
        let expiresAt = try #require(try UnverifiedJWS.decode(Fixtures.bearerToken).payload["exp"]?.integerValue)
        let check = BearerTokenVerifier(publicKeys: [try Fixtures.key()])
            .check(Fixtures.bearerToken, bundleIds: [Fixtures.bundleId], now: expiresAt - 300)

        #expect(check.claims?.bundleId == Fixtures.bundleId)
    }
}
