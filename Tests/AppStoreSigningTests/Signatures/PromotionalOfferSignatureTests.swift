import AppStoreModel
import AppStoreSigning
import Crypto
import PerennialPrimitives
import Testing

@Suite struct `Signatures of promotional offers` {
    private static let now: Int64 = 1_790_000_000_000
    private let key = InAppPurchaseKey.generate()
    private let offer = PromotionalOffer(
        productId: "pro.monthly",
        offerIdentifier: "winter",
        appAccountToken: "7a3e1f20-5b6c-4d8e-9f01-23456789abcd"
    )

    private var signer: StoreKitRequestSigner {
        StoreKitRequestSigner(key: key, bundleId: "com.example.app")
    }

    private func check(
        _ signature: PromotionalOfferSignature,
        bundleId: String = "com.example.app",
        now: Int64 = `Signatures of promotional offers`.now
    ) -> SignatureCheck<PromotionalOffer> {
        PromotionalOfferSignatureVerifier(keys: [key]).check(signature, bundleId: bundleId, now: now)
    }

    /// A signature over other fields than those that are sent.
    private func signature(over fields: [String], nonce: SignatureNonce) throws -> PromotionalOfferSignature {
        let text = fields.joined(separator: "\u{2063}")
        let signed = try P256.Signing.PrivateKey(pemRepresentation: key.pem).signature(for: Array(text.utf8))
        return sent(signed.derRepresentation, nonce: nonce)
    }

    private func sent(_ signature: some Collection<UInt8>, nonce: SignatureNonce) -> PromotionalOfferSignature {
        PromotionalOfferSignature(
            offer: offer,
            keyId: key.keyId,
            nonce: nonce,
            timestamp: Self.now,
            encodedSignature: String(decoding: Base64.encode(Array(signature), .standard), as: UTF8.self)
        )
    }

    private func fields(nonce: String) -> [String] {
        [
            "com.example.app", key.keyId, "pro.monthly", "winter", offer.appAccountToken ?? "", nonce,
            String(Self.now),
        ]
    }

    @Test func `a signed offer is accepted unchanged`() throws {
        let nonce = SignatureNonce.random()
        let signature = try signer.sign(offer, nonce: nonce, at: Self.now)

        #expect(check(signature) == .accepted(offer))
        #expect(signature.nonce == nonce)
        #expect(signature.timestamp == Self.now)
        #expect(signature.keyId == key.keyId)
    }

    @Test func `the seven fields are signed in Apple's order, in DER`() throws {
        let nonce = SignatureNonce.random()
        let signature = try signer.sign(offer, nonce: nonce, at: Self.now)
        let der = try #require(Base64.decode(signature.encodedSignature.utf8, .standard))
        let text = fields(nonce: nonce.text).joined(separator: "\u{2063}")
        let publicKey = try P256.Signing.PrivateKey(pemRepresentation: key.pem).publicKey

        #expect(
            publicKey.isValidSignature(
                try P256.Signing.ECDSASignature(derRepresentation: der),
                for: Array(text.utf8)
            )
        )
    }

    @Test func `an offer without a customer keeps the empty field`() throws {
        let offer = PromotionalOffer(productId: "pro.monthly", offerIdentifier: "winter")
        let signature = try signer.sign(offer, nonce: .random(), at: Self.now)

        #expect(check(signature).accepted != nil)
        let forCustomer = PromotionalOfferSignature(
            offer: self.offer,
            keyId: signature.keyId,
            nonce: signature.nonce,
            timestamp: signature.timestamp,
            encodedSignature: signature.encodedSignature
        )
        let refusal = try #require(check(forCustomer).refusal)
        #expect(refusal.code == .signature)
        #expect(refusal.message.contains("without the appAccountToken"))
    }

    @Test func `common mistakes are reported`() throws {
        let nonce = SignatureNonce.random()
        var upperNonce = fields(nonce: nonce.text.uppercased())
        var refusal = check(try signature(over: upperNonce, nonce: nonce)).refusal
        #expect(refusal?.code == .signature)
        #expect(refusal?.message.contains("nonce was signed in upper case") == true)

        upperNonce[4] = upperNonce[4].uppercased()
        refusal = check(try signature(over: upperNonce, nonce: nonce)).refusal
        #expect(refusal?.message.contains("nonce and the appAccountToken") == true)

        var inSeconds = fields(nonce: nonce.text)
        inSeconds[6] = String(Self.now / 1000)
        refusal = check(try signature(over: inSeconds, nonce: nonce)).refusal
        #expect(refusal?.message.contains("in seconds") == true)

        let text = fields(nonce: nonce.text).joined(separator: "\u{2063}")
        let signed = try P256.Signing.PrivateKey(pemRepresentation: key.pem).signature(for: Array(text.utf8))
        refusal = check(sent(signed.rawRepresentation, nonce: nonce)).refusal
        #expect(refusal?.code == .malformed)
        #expect(refusal?.message.contains("DER") == true)
    }

    @Test func `a changed field, another app or another key is refused`() throws {
        let good = try signer.sign(offer, nonce: .random(), at: Self.now)
        func changed(
            offer: PromotionalOffer? = nil,
            keyId: String? = nil,
            nonce: SignatureNonce? = nil,
            timestamp: Int64? = nil
        ) -> PromotionalOfferSignature {
            PromotionalOfferSignature(
                offer: offer ?? good.offer,
                keyId: keyId ?? good.keyId,
                nonce: nonce ?? good.nonce,
                timestamp: timestamp ?? good.timestamp,
                encodedSignature: good.encodedSignature
            )
        }
        let otherProduct = PromotionalOffer(
            productId: "pro.yearly",
            offerIdentifier: "winter",
            appAccountToken: offer.appAccountToken
        )

        #expect(check(changed(offer: otherProduct)).refusal?.code == .signature)
        #expect(check(changed(nonce: .random())).refusal?.code == .signature)
        #expect(check(changed(timestamp: Self.now - 1)).refusal?.code == .signature)
        #expect(check(changed(keyId: "ZZZZZZZZZZ")).refusal?.code == .unknownKey)
        #expect(check(good, bundleId: "com.example.other").refusal?.code == .signature)
        let pretender = InAppPurchaseKey.generate(keyId: key.keyId)
        let forged = try StoreKitRequestSigner(key: pretender, bundleId: "com.example.app")
            .sign(offer, nonce: .random(), at: Self.now)
        #expect(check(forged).refusal?.code == .signature)
    }

    @Test func `a signature is valid for a day, with a tolerance of a minute`() throws {
        let signature = try signer.sign(offer, nonce: .random(), at: Self.now)

        #expect(check(signature, now: Self.now + 86_400_000).accepted != nil)
        #expect(check(signature, now: Self.now + 86_400_001).refusal?.code == .expired)
        #expect(check(signature, now: Self.now - 60_000).accepted != nil)
        #expect(check(signature, now: Self.now - 60_001).refusal?.code == .notYetValid)
        let strict = PromotionalOfferSignatureVerifier(
            keys: [key],
            limits: SignatureLimits(ageMax: 1000, clockSkewMax: 0)
        )
        #expect(strict.check(signature, bundleId: "com.example.app", now: Self.now - 1).refusal?.code == .notYetValid)
        #expect(strict.check(signature, bundleId: "com.example.app", now: Self.now + 1001).refusal?.code == .expired)
    }

    @Test(arguments: [Int64.min, Int64.max, 0])
    func `extreme times are refused without overflow`(timestamp: Int64) throws {
        let signature = try signer.sign(offer, nonce: .random(), at: timestamp)

        #expect(check(signature).refusal != nil)
        #expect(check(signature, now: .min).accepted == (timestamp == .min ? offer : nil))
    }

    @Test func `a field with the separator can neither be signed nor accepted`() throws {
        let sly = PromotionalOffer(productId: "pro\u{2063}monthly", offerIdentifier: "winter")
        let error = #expect(throws: SigningError.self) { try signer.sign(sly, nonce: .random(), at: Self.now) }
        #expect(error?.code == .fieldMalformed)
        let good = try signer.sign(offer, nonce: .random(), at: Self.now)
        let sent = PromotionalOfferSignature(
            offer: sly,
            keyId: good.keyId,
            nonce: good.nonce,
            timestamp: good.timestamp,
            encodedSignature: good.encodedSignature
        )
        #expect(check(sent).refusal?.code == .malformed)
    }

    @Test func `an empty product or offer cannot be signed`() {
        for offer in [
            PromotionalOffer(productId: "", offerIdentifier: "winter"),
            PromotionalOffer(productId: "pro.monthly", offerIdentifier: ""),
        ] {
            let error = #expect(throws: SigningError.self) { try signer.sign(offer, nonce: .random(), at: Self.now) }
            #expect(error?.code == .fieldMalformed)
        }
    }

    @Test(arguments: ["", "!", "AAAA", "MEUCIQ", String(repeating: "A", count: 100_000)])
    func `text that is not a signature is refused`(encoded: String) throws {
        let good = try signer.sign(offer, nonce: .random(), at: Self.now)
        let sent = PromotionalOfferSignature(
            offer: offer,
            keyId: good.keyId,
            nonce: good.nonce,
            timestamp: good.timestamp,
            encodedSignature: encoded
        )

        #expect(check(sent).refusal?.code == .malformed)
    }

    @Test func `signing without a nonce and a time uses a new nonce each time`() throws {
        let first = try signer.sign(offer)
        let second = try signer.sign(offer)

        #expect(first.nonce != second.nonce)
        #expect(check(first, now: first.timestamp).accepted == offer)
    }

    @Test func `a signature survives the answer to a realtime request`() throws {
        let upper = PromotionalOffer(
            productId: "pro.monthly",
            offerIdentifier: "winter",
            appAccountToken: "7A3E1F20-5B6C-4D8E-9F01-23456789ABCD"
        )
        let signature = try signer.sign(upper, nonce: .random(), at: Self.now)
        let body = PromotionalOfferSignatureV1(signature)

        #expect(body.appAccountToken == "7a3e1f20-5b6c-4d8e-9f01-23456789abcd")
        #expect(check(try PromotionalOfferSignature(body)).accepted == offer)
    }
}
