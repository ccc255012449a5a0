import AppStoreModel

/// The token that authorises calls to the App Store Server API.
///
/// - Source: App Store Server API, Generating JSON Web Tokens for API requests.
public enum BearerToken {
    /// The audience of every token.
    public static let audience = "appstoreconnect-v1"

    /// The longest life the App Store accepts.
    ///
    /// - Units: seconds.
    public static let lifetimeMax: Int64 = 3600

    /// Makes a signed token.
    ///
    /// - Parameters:
    ///   - key: The key to sign with.
    ///   - bundleId: The app that the calls are about.
    ///   - issuedAt: Now, in seconds since 1970.
    ///   - lifetime: How long it is good for, in seconds; five minutes by default. The App Store refuses a token of
    ///     more than ``lifetimeMax``, and at times one of exactly that.
    /// - Returns: What follows `Bearer ` in the `Authorization` header.
    /// - Throws: `signing_failed` when the cryptographic library refuses.
    public static func make(
        key: InAppPurchaseKey,
        bundleId: String,
        issuedAt: Int64,
        lifetime: Int64 = 300
    ) throws(SigningError) -> String {
        let header: JSONObject = ["alg": .string("ES256"), "kid": .string(key.keyId), "typ": .string("JWT")]
        let (end, overflow) = issuedAt.addingReportingOverflow(lifetime)
        let claims: JSONObject = [
            "iss": .string(key.issuerId),
            "iat": .integer(issuedAt),
            "exp": .integer(overflow ? .max : end),
            "aud": .string(audience),
            "bid": .string(bundleId),
        ]
        let signer = JWSSigner(
            headerJSON: String(decoding: header.serialize(), as: UTF8.self),
            key: key.privateKey
        )
        return try signer.sign(payload: claims.serialize())
    }

    /// Makes a signed token that begins now and is good for five minutes.
    ///
    /// - Returns: What follows `Bearer ` in the `Authorization` header.
    /// - Throws: `signing_failed` when the cryptographic library refuses.
    public static func make(key: InAppPurchaseKey, bundleId: String) throws(SigningError) -> String {
        try make(key: key, bundleId: bundleId, issuedAt: WallClock.milliseconds() / 1000)
    }
}
