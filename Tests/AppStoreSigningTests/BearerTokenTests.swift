import AppStoreModel
import AppStoreSigning
import Crypto
import Testing

@Suite struct `Bearer tokens` {
    private static let now: Int64 = 1_790_000_000
    private let key = InAppPurchaseKey.generate(issuerId: "57246542-96fe-1a63-e053-0824d011072a")

    private func check(_ token: String, now: Int64 = `Bearer tokens`.now) -> BearerTokenCheck {
        BearerTokenVerifier(keys: [key]).check(token, bundleIds: ["com.example.app"], now: now)
    }

    private func token(
        bundleId: String = "com.example.app",
        issuedAt: Int64 = `Bearer tokens`.now,
        lifetime: Int64 = 300
    ) throws -> String {
        try BearerToken.make(key: key, bundleId: bundleId, issuedAt: issuedAt, lifetime: lifetime)
    }

    /// A token signed by the key with custom claims and header.
    private func token(header: String? = nil, claims: JSONObject) throws -> String {
        let privateKey = try P256.Signing.PrivateKey(pemRepresentation: key.pem)
        let header = header ?? "{\"alg\":\"ES256\",\"kid\":\"\(key.keyId)\",\"typ\":\"JWT\"}"
        return try JWSSigner(headerJSON: header, key: privateKey).sign(payload: claims.serialize())
    }

    private var goodClaims: JSONObject {
        [
            "iss": .string(key.issuerId), "iat": .integer(Self.now), "exp": .integer(Self.now + 300),
            "aud": .string("appstoreconnect-v1"), "bid": .string("com.example.app"),
        ]
    }

    @Test func `a token of the key is accepted with its claims`() throws {
        let claims = try #require(check(try token()).claims)

        #expect(claims.keyId == key.keyId)
        #expect(claims.issuerId == key.issuerId)
        #expect(claims.bundleId == "com.example.app")
        #expect(claims.issuedAt == Self.now)
        #expect(claims.expiresAt == Self.now + 300)
    }

    @Test func `a key survives its PEM file`() throws {
        let read = try InAppPurchaseKey(pem: key.pem, keyId: key.keyId, issuerId: key.issuerId)
        let token = try BearerToken.make(key: read, bundleId: "com.example.app", issuedAt: Self.now)

        #expect(check(token).claims != nil)
        #expect(key.pem.hasPrefix("-----BEGIN PRIVATE KEY-----"))
        #expect(throws: SigningError.self) { try InAppPurchaseKey(pem: "no key", keyId: "K", issuerId: "I") }
    }

    @Test func `an overflowing lifetime is clamped, and refused`() throws {
        #expect(check(try token(issuedAt: .max, lifetime: .max)).refusal?.code == .lifetime)
        let token = try UnverifiedJWS.decode(token(issuedAt: .max - 10, lifetime: 300))
        #expect(token.payload["exp"]?.integerValue == .max)
    }

    @Test func `a token is valid for five minutes from now`() throws {
        let token = try BearerToken.make(key: key, bundleId: "com.example.app")
        let issuedAt = try #require(try UnverifiedJWS.decode(token).payload["iat"]?.integerValue)

        #expect(check(token, now: issuedAt).claims?.expiresAt == issuedAt + 300)
    }

    @Test func `an hour is the maximum lifetime`() throws {
        #expect(check(try token(lifetime: 3600)).claims != nil)
        #expect(check(try token(lifetime: 3601)).refusal?.code == .lifetime)
        #expect(check(try token(lifetime: 0)).refusal?.code == .lifetime)
        #expect(check(try token(lifetime: -5)).refusal?.code == .lifetime)
    }

    @Test func `a token is not valid after its end or before its creation, with a tolerance of a minute`() throws {
        let token = try token()

        #expect(check(token, now: Self.now + 359).claims != nil)
        #expect(check(token, now: Self.now + 360).refusal?.code == .expired)
        #expect(check(token, now: Self.now - 60).claims != nil)
        #expect(check(token, now: Self.now - 61).refusal?.code == .notYetValid)
    }

    @Test func `a token for another app, key, issuer or audience is refused`() throws {
        #expect(check(try token(bundleId: "com.example.other")).refusal?.code == .bundleId)
        let lookAlike = BearerTokenVerifier(keys: [key])
            .check(try token(bundleId: "\u{212A}"), bundleIds: ["K"], now: Self.now)
        #expect(lookAlike.refusal?.code == .bundleId)
        let stranger = InAppPurchaseKey.generate()
        let foreign = try BearerToken.make(key: stranger, bundleId: "com.example.app", issuedAt: Self.now)
        #expect(check(foreign).refusal?.code == .unknownKey)
        let pretender = InAppPurchaseKey.generate(keyId: key.keyId, issuerId: key.issuerId)
        let forged = try BearerToken.make(key: pretender, bundleId: "com.example.app", issuedAt: Self.now)
        #expect(check(forged).refusal?.code == .signature)
        var claims = goodClaims
        claims["iss"] = .string("another")
        #expect(check(try token(claims: claims)).refusal?.code == .issuer)
        claims = goodClaims
        claims["aud"] = .string("promotional-offer")
        #expect(check(try token(claims: claims)).refusal?.code == .audience)
    }

    @Test(arguments: ["iss", "exp", "aud", "bid"])
    func `a token without one of its claims is refused, with others is not`(name: String) throws {
        var claims = goodClaims
        claims["nonce"] = .string("ignored")
        #expect(check(try token(claims: claims)).claims != nil)
        claims[name] = nil
        #expect(check(try token(claims: claims)).refusal?.code == .malformed)
    }

    @Test func `a token for App Store Connect has no app, and needs all other claims`() throws {
        let verifier = BearerTokenVerifier(keys: [key])
        var claims = goodClaims
        claims["bid"] = nil
        let accepted = verifier.checkForAppStoreConnect(try token(claims: claims), now: Self.now).claims
        #expect(accepted?.issuerId == key.issuerId)
        #expect(accepted != nil && accepted?.bundleId == nil)
        #expect(verifier.checkForAppStoreConnect(try token(), now: Self.now).claims?.bundleId == "com.example.app")
        for (name, value, code) in [
            ("iss", "another", BearerTokenCheck.Code.issuer), ("aud", "another", .audience),
        ] {
            var changed = claims
            changed[name] = .string(value)
            let check = verifier.checkForAppStoreConnect(try token(claims: changed), now: Self.now)
            #expect(check.refusal?.code == code)
        }
        claims["exp"] = .integer(Self.now + 1_201)
        let long = verifier.checkForAppStoreConnect(try token(claims: claims), now: Self.now)
        #expect(long.refusal?.code == .lifetime)
        claims["exp"] = .integer(Self.now + 1_200)
        #expect(verifier.checkForAppStoreConnect(try token(claims: claims), now: Self.now).claims != nil)
        let late = verifier.checkForAppStoreConnect(try token(claims: claims), now: Self.now + 3_600)
        #expect(late.refusal?.code == .expired)
    }

    @Test(arguments: ["1790000000.049901", "1790000000.0", "1.79e9", "1790000000", "17900000005e-1"])
    func `times are any JSON numbers, and their fractions are cut off`(issuedAt: String) throws {
        var claims = goodClaims
        claims["iat"] = .decimal(issuedAt)
        claims["exp"] = .decimal("1790000300.999999")

        let accepted = try #require(check(try token(claims: claims)).claims)
        #expect(accepted.issuedAt == Self.now)
        #expect(accepted.expiresAt == Self.now + 300)
        claims["exp"] = .decimal("1790003600.9")
        #expect(check(try token(claims: claims)).claims != nil)
        claims["exp"] = .decimal("1790003601.1")
        #expect(check(try token(claims: claims)).refusal?.code == .lifetime)
    }

    @Test(arguments: ["iat", "exp"])
    func `a time that is not a number, or beyond 64 bits, is refused`(name: String) throws {
        for wrong: JSONValue in [.decimal("1e300"), .string("1790000000"), true, .array([])] {
            var claims = goodClaims
            claims[name] = wrong
            #expect(check(try token(claims: claims)).refusal?.code == .malformed)
        }
    }

    @Test func `the audience may be one of several`() throws {
        var claims = goodClaims
        claims["aud"] = ["another", "appstoreconnect-v1"]
        #expect(check(try token(claims: claims)).claims != nil)
        claims["aud"] = ["another"]
        #expect(check(try token(claims: claims)).refusal?.code == .audience)
        claims["aud"] = []
        #expect(check(try token(claims: claims)).refusal?.code == .audience)
        claims["aud"] = ["appstoreconnect-v1", 1]
        #expect(check(try token(claims: claims)).refusal?.code == .malformed)
    }

    @Test func `another algorithm is refused`() throws {
        let header = "{\"alg\":\"none\",\"kid\":\"\(key.keyId)\"}"

        #expect(check(try token(header: header, claims: goodClaims)).refusal?.code == .algorithm)
    }

    @Test(arguments: ["", "a.b.c", "Bearer x", String(repeating: "a", count: 10_000), "eyJ9.e30.e30"])
    func `text that is not a token is refused`(text: String) {
        #expect(check(text).refusal?.code == .malformed)
    }

    @Test func `times that overflow are refused`() throws {
        var claims = goodClaims
        claims["iat"] = .integer(.min)
        claims["exp"] = .integer(.max)

        #expect(check(try token(claims: claims)).refusal?.code == .lifetime)
    }
}
