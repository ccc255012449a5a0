import AppStoreModel
import AppStoreSigning
import Crypto
import Testing

@Suite struct `Signed StoreKit requests` {
    private static let now: Int64 = 1_790_000_000_123
    private let key = InAppPurchaseKey.generate()
    private let offer = PromotionalOfferV2(
        productId: "pro.monthly",
        offerIdentifier: "winter",
        transactionId: "2000000000000001"
    )

    private var signer: StoreKitRequestSigner {
        StoreKitRequestSigner(key: key, bundleId: "com.example.app")
    }

    private func check<Claims: StoreKitRequestClaims>(
        _ jws: String,
        as kind: Claims.Type = PromotionalOfferV2.self,
        bundleId: String = "com.example.app",
        now: Int64 = `Signed StoreKit requests`.now
    ) -> SignatureCheck<VerifiedStoreKitRequest<Claims>> {
        StoreKitRequestVerifier(keys: [key]).check(jws, as: kind, bundleId: bundleId, now: now)
    }

    private func jws(header: String? = nil, _ change: (inout JSONObject) -> Void) throws -> String {
        var claims: JSONObject = [
            "iss": .string(key.issuerId), "iat": .integer(Self.now / 1000), "aud": "promotional-offer",
            "bid": "com.example.app", "nonce": "8b5d3c64-0a0e-4f52-9e6c-5f8a0e3c1d27", "productId": "pro.monthly",
            "offerIdentifier": "winter",
        ]
        change(&claims)
        let header = header ?? "{\"alg\":\"ES256\",\"kid\":\"\(key.keyId)\",\"typ\":\"JWT\"}"
        let privateKey = try P256.Signing.PrivateKey(pemRepresentation: key.pem)
        return try JWSSigner(headerJSON: header, key: privateKey).sign(payload: claims.serialize())
    }

    @Test func `each kind is accepted as it was signed`() throws {
        let nonce = SignatureNonce.random()
        let signedOffer = try check(try signer.sign(offer, nonce: nonce, at: Self.now)).get()
        #expect(signedOffer.claims == offer)
        #expect(signedOffer.nonce == nonce)
        #expect(signedOffer.keyId == key.keyId)
        #expect(signedOffer.issuedAt == 1_790_000_000_000)

        let eligibility = IntroductoryOfferEligibility(
            productId: "pro.monthly",
            allowIntroductoryOffer: true,
            transactionId: "704000000000000001"
        )
        let signedEligibility = try signer.sign(eligibility, nonce: nonce, at: Self.now)
        #expect(check(signedEligibility, as: IntroductoryOfferEligibility.self).accepted?.claims == eligibility)

        let request = AdvancedCommerceSignedRequest(["operation": "CREATE_SUBSCRIPTION", "version": "1"])
        let signedRequest = try signer.sign(request, nonce: nonce, at: Self.now)
        let accepted = try check(signedRequest, as: AdvancedCommerceSignedRequest.self).get()
        #expect(accepted.claims == request)
        #expect(accepted.claims.operation == "CREATE_SUBSCRIPTION")
    }

    @Test func `header and claims are those of Apple's documentation`() throws {
        let nonce = SignatureNonce.random()
        let text = try UnverifiedJWS.decode(signer.sign(offer, nonce: nonce, at: Self.now))
        #expect(text.header == ["alg": "ES256", "kid": .string(key.keyId), "typ": "JWT"])
        #expect(
            text.payload == [
                "productId": "pro.monthly", "offerIdentifier": "winter", "transactionId": "2000000000000001",
                "iss": .string(key.issuerId), "iat": 1_790_000_000, "aud": "promotional-offer",
                "bid": "com.example.app", "nonce": .string(nonce.text),
            ]
        )

        let forAnybody = PromotionalOfferV2(productId: "pro.monthly", offerIdentifier: "winter")
        let payload = try UnverifiedJWS.decode(signer.sign(forAnybody, nonce: nonce, at: Self.now)).payload
        #expect(payload["transactionId"] == nil)
        #expect(payload["exp"] == nil)
    }

    @Test func `a request of Advanced Commerce is signed byte by byte`() throws {
        let bytes = Array("{ \"version\": \"1\", \"operation\": \"CREATE_ONE_TIME_CHARGE\" }".utf8)
        let request = try AdvancedCommerceSignedRequest(requestBytes: bytes)
        let jws = try signer.sign(request, nonce: .random(), at: Self.now)

        #expect(check(jws, as: AdvancedCommerceSignedRequest.self).accepted?.claims.requestBytes == bytes)
        let error = #expect(throws: SigningError.self) {
            try AdvancedCommerceSignedRequest(requestBytes: Array("[]".utf8))
        }
        #expect(error?.code == .requestMalformed)
    }

    @Test func `an expiration is refused, since StoreKit refuses it`() throws {
        let jws = try jws { $0["exp"] = .integer(Self.now / 1000 + 300) }

        #expect(check(jws).refusal?.code == .expirationPresent)
    }

    @Test func `another app, issuer, purpose or key is refused, a look-alike too`() throws {
        let good = try jws { _ in }
        #expect(check(good).accepted != nil)
        #expect(check(good, bundleId: "com.example.other").refusal?.code == .bundleId)
        #expect(check(good, as: IntroductoryOfferEligibility.self).refusal?.code == .audience)
        #expect(check(try jws { $0["iss"] = "someone" }).refusal?.code == .issuer)
        #expect(check(try jws { $0["aud"] = "appstoreconnect-v1" }).refusal?.code == .audience)
        let lookAlike = "\u{212A}"
        #expect(lookAlike == "K")
        #expect(check(try jws { $0["bid"] = .string(lookAlike) }, bundleId: "K").refusal?.code == .bundleId)
        let stranger = StoreKitRequestSigner(key: .generate(), bundleId: "com.example.app")
        #expect(check(try stranger.sign(offer, nonce: .random(), at: Self.now)).refusal?.code == .unknownKey)
        let pretender = StoreKitRequestSigner(
            key: .generate(keyId: key.keyId, issuerId: key.issuerId),
            bundleId: "com.example.app"
        )
        #expect(check(try pretender.sign(offer, nonce: .random(), at: Self.now)).refusal?.code == .signature)
    }

    @Test(arguments: ["iss", "iat", "aud", "bid", "nonce", "productId", "offerIdentifier"])
    func `a JWS without one of its claims is refused, or with one of another type`(name: String) throws {
        #expect(check(try jws { $0[name] = nil }).refusal != nil)
        #expect(check(try jws { $0[name] = .array([]) }).refusal != nil)
        #expect(check(try jws { $0[name] = true }).refusal != nil)
    }

    @Test func `a nonce that is not a UUID is refused`() throws {
        #expect(check(try jws { $0["nonce"] = "once" }).refusal?.code == .nonce)
        #expect(check(try jws { $0["nonce"] = nil }).refusal?.code == .nonce)
    }

    @Test(arguments: ["1790000000.049901", "1790000000.999999", "1.79e9"])
    func `iat is any JSON number, and its fraction is cut off`(issuedAt: String) throws {
        let accepted = try check(try jws { $0["iat"] = .decimal(issuedAt) }).get()
        #expect(accepted.issuedAt == 1_790_000_000_000)
        #expect(check(try jws { $0["iat"] = .decimal("1e300") }).refusal?.code == .malformed)
    }

    @Test func `the purpose may be one of several audiences`() throws {
        #expect(check(try jws { $0["aud"] = ["promotional-offer"] }).accepted != nil)
        #expect(check(try jws { $0["aud"] = ["appstoreconnect-v1"] }).refusal?.code == .audience)
    }

    @Test func `the time starts at iat`() throws {
        let jws = try signer.sign(offer, nonce: .random(), at: Self.now)
        let issuedAt: Int64 = 1_790_000_000_000

        #expect(check(jws, now: issuedAt + 86_400_000).accepted != nil)
        #expect(check(jws, now: issuedAt + 86_400_001).refusal?.code == .expired)
        #expect(check(jws, now: issuedAt - 60_000).accepted != nil)
        #expect(check(jws, now: issuedAt - 60_001).refusal?.code == .notYetValid)
    }

    @Test func `iat in milliseconds is reported as in the future, and an overflowing one as invalid`() throws {
        #expect(check(try jws { $0["iat"] = .integer(Self.now) }).refusal?.code == .notYetValid)
        #expect(check(try jws { $0["iat"] = .integer(.max) }).refusal?.code == .malformed)
        #expect(check(try jws { $0["iat"] = .integer(.min) }).refusal?.code == .malformed)
        #expect(check(try jws { $0["iat"] = .integer(.min / 1000) }).refusal?.code == .malformed)
        #expect(check(try jws { $0["iat"] = .decimal("1.5") }).refusal?.code == .expired)
    }

    @Test func `another algorithm is refused`() throws {
        let header = "{\"alg\":\"HS256\",\"kid\":\"\(key.keyId)\"}"

        #expect(check(try jws(header: header) { _ in }).refusal?.code == .algorithm)
    }

    @Test func `a changed byte anywhere is refused`() throws {
        let jws = Array(try signer.sign(offer, nonce: .random(), at: Self.now).utf8)
        for index in stride(from: 0, to: jws.count, by: 7) {
            var changed = jws
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(check(String(decoding: changed, as: UTF8.self)).refusal != nil, "byte \(index)")
        }
    }

    @Test(arguments: ["", ".", "..", "a.b.c", "eyJ9.e30.e30", String(repeating: "a", count: 300_000)])
    func `text that is not a JWS is refused`(text: String) {
        #expect(check(text).refusal?.code == .malformed)
    }

    @Test(arguments: ["", "e30=x", "W10=", "bm90IGpzb24=", "e30"])
    func `a request that is not base64 of an object is refused`(encoded: String) throws {
        let jws = try jws {
            $0["aud"] = "advanced-commerce-api"
            $0["request"] = .string(encoded)
        }

        #expect(check(jws, as: AdvancedCommerceSignedRequest.self).refusal?.code == .malformed)
    }

    @Test func `the claims of a kind cannot override the common ones`() throws {
        struct Sly: StoreKitRequestClaims {
            static let audience = "promotional-offer"
            var claims: JSONObject { ["iss": "someone", "bid": "com.example.other", "exp": 1, "iat": 1] }
            init() {}
            init(claims: JSONObject) throws(ModelError) {}
        }
        let payload = try UnverifiedJWS.decode(signer.sign(Sly(), nonce: .random(), at: Self.now)).payload

        #expect(payload["iss"]?.stringValue == key.issuerId)
        #expect(payload["bid"] == "com.example.app")
        #expect(payload["iat"] == 1_790_000_000)
        #expect(payload["exp"] == nil)
    }
}
