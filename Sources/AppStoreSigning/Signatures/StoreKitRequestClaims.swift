public import AppStoreModel

/// What a developer's server vouches for in a JWS that the app hands to StoreKit.
///
/// Each kind has an audience and claims of its own, beside those that all have: `iss`, `iat`, `aud`, `bid` and `nonce`.
///
/// - Source: StoreKit, Generating JWS to sign App Store requests.
public protocol StoreKitRequestClaims: Hashable, Sendable {
    /// The purpose, sent as `aud`.
    static var audience: String { get }

    /// The claims of this kind.
    var claims: JSONObject { get }

    /// Reads the claims of this kind from all claims of a JWS.
    ///
    /// - Throws: `ModelError` with the claim that is missing or wrong.
    init(claims: JSONObject) throws(ModelError)
}
