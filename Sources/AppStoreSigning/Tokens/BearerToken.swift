import AppStoreModel

/// The bearer token of calls to the App Store Server API.
///
/// - Source: App Store Server API, Generating JSON Web Tokens for API requests.
public enum BearerToken {
    /// The audience of all tokens.
    public static let audience = "appstoreconnect-v1"

    /// The maximum lifetime that the App Store accepts.
    ///
    /// - Units: seconds.
    public static let lifetimeMax: Int64 = 3600

    /// Creates a signed token.
    ///
    /// - Parameters:
    ///   - key: The key to sign with.
    ///   - bundleId: The app of the calls.
    ///   - issuedAt: Now, in seconds since 1970.
    ///   - lifetime: The lifetime in seconds; the default is five minutes. The App Store refuses a token of
    ///     more than ``lifetimeMax``, and sometimes one of exactly that.
    /// - Returns: The text after `Bearer ` in the `Authorization` header.
    /// - Throws: `signing_failed` if the cryptographic library fails.
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

    /// Creates a signed token that is valid from now for five minutes.
    ///
    /// - Returns: The text after `Bearer ` in the `Authorization` header.
    /// - Throws: `signing_failed` if the cryptographic library fails.
    public static func make(key: InAppPurchaseKey, bundleId: String) throws(SigningError) -> String {
        try make(key: key, bundleId: bundleId, issuedAt: WallClock.milliseconds() / 1000)
    }
}
