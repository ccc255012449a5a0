public import AppStoreModel

/// The claims of a developer's server in a JWS that the app passes to StoreKit.
///
/// Each kind has its own audience and claims, in addition to the common ones: `iss`, `iat`, `aud`, `bid` and `nonce`.
///
/// - Source: StoreKit, Generating JWS to sign App Store requests.
public protocol StoreKitRequestClaims: Hashable, Sendable {
    /// The purpose, sent as `aud`.
    static var audience: String { get }

    /// The claims of this kind.
    var claims: JSONObject { get }

    /// Reads the claims of this kind from the claims of a JWS.
    ///
    /// - Throws: `ModelError` with the missing or invalid claim.
    init(claims: JSONObject) throws(ModelError)
}
