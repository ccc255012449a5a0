import AppStoreModel
import AppStoreSigning
import Testing

@Suite struct `Signed real-time responses` {
    private static let now: Int64 = 1_790_000_000_000
    private static let message = "0b7d0e3c-3d0a-4c53-8f0e-7f0f2b0a4b11"
    private let key = InAppPurchaseKey.generate()
    private let offer = PromotionalOfferV2(
        productId: "pro.monthly",
        offerIdentifier: "stay",
        transactionId: "2000000000000001"
    )

    private var signer: StoreKitRequestSigner {
        StoreKitRequestSigner(key: key, bundleId: "com.example.app")
    }

    private func check(_ response: RealtimeResponseBody) -> SignatureCheck<VerifiedRealtimeResponse> {
        RealtimeResponseVerifier(keys: [key]).check(response, bundleId: "com.example.app", now: Self.now)
    }

    @Test func `an answer with a signed offer is accepted, also after encoding`() throws {
        let response = try signer.realtimeResponse(
            offering: offer,
            message: Self.message,
            nonce: .random(),
            at: Self.now
        )
        let accepted = try check(try RealtimeResponseBody(jsonBytes: response.jsonBytes)).get()
        #expect(accepted.messageIdentifier == Self.message)
        guard case .promotionalOffer(let request) = accepted.content else {
            Issue.record("\(accepted.content) is no promotional offer")
            return
        }
        #expect(request.claims == offer)
    }

    @Test func `an answer with a version 1 signature is accepted`() throws {
        let first = PromotionalOffer(productId: "pro.monthly", offerIdentifier: "stay", appAccountToken: nil)
        let nonce = SignatureNonce.random()
        let response = try signer.realtimeResponse(offering: first, message: Self.message, nonce: nonce, at: Self.now)
        let accepted = try check(try RealtimeResponseBody(jsonBytes: response.jsonBytes)).get()
        guard case .firstFormOffer(let signature) = accepted.content else {
            Issue.record("\(accepted.content) is no promotional offer")
            return
        }
        #expect(signature.offer == first)
        #expect(signature.nonce == nonce)
    }

    @Test func `answers without a signature are accepted with their content`() throws {
        #expect(check(.message(Self.message.uppercased())).accepted?.messageIdentifier == Self.message)
        #expect(
            check(.alternateProduct("pro.yearly", message: Self.message)).accepted?.content
                == .alternateProduct(productId: "pro.yearly", billingPlanType: nil)
        )
        #expect(
            check(.advancedCommerce(data: "data", message: Self.message)).accepted?.content
                == .advancedCommerce(data: "data")
        )
    }

    @Test func `an answer has exactly one content`() throws {
        #expect(check(RealtimeResponseBody()).refusal?.code == .malformed)
        var two = RealtimeResponseBody.message(Self.message)
        two.alternateProduct =
            RealtimeResponseBody.alternateProduct("pro.yearly", message: Self.message).alternateProduct
        #expect(check(two).refusal?.code == .malformed)
        #expect(check(.message("hello")).refusal?.code == .malformed)
        let neither = RealtimeResponseBody(promotionalOffer: .init(messageIdentifier: Self.message))
        #expect(check(neither).refusal?.code == .malformed)
    }

    @Test func `an offer in an answer names its customer`() throws {
        let forAnybody = PromotionalOfferV2(productId: "pro.monthly", offerIdentifier: "stay")
        let error = #expect(throws: SigningError.self) {
            try signer.realtimeResponse(offering: forAnybody, message: Self.message, nonce: .random(), at: Self.now)
        }
        #expect(error?.code == .fieldMalformed)
        let jws = try signer.sign(forAnybody, nonce: .random(), at: Self.now)
        #expect(check(.promotionalOffer(signatureV2: jws, message: Self.message)).refusal?.code == .malformed)
    }

    @Test func `an offer with an unknown key is refused`() throws {
        let stranger = StoreKitRequestSigner(key: .generate(), bundleId: "com.example.app")
        let response = try stranger.realtimeResponse(
            offering: offer,
            message: Self.message,
            nonce: .random(),
            at: Self.now
        )

        #expect(check(response).refusal?.code == .unknownKey)
    }

    @Test func `an upper-case nonce in a version 1 signature is refused`() throws {
        let first = PromotionalOffer(productId: "pro.monthly", offerIdentifier: "stay")
        let nonce = try SignatureNonce("8B5D3C64-0A0E-4F52-9E6C-5F8A0E3C1D27")
        var signature = PromotionalOfferSignatureV1(try signer.sign(first, nonce: nonce, at: Self.now))
        signature.nonce = signature.nonce.uppercased()

        #expect(
            check(.promotionalOffer(signatureV1: signature, message: Self.message)).refusal?.code == .nonce
        )
    }
}
