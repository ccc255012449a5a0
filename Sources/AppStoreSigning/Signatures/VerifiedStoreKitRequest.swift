/// The content of an accepted JWS of a developer.
public struct VerifiedStoreKitRequest<Claims: StoreKitRequestClaims>: Hashable, Sendable {
    /// The claims of its kind.
    public let claims: Claims

    /// The signing key.
    public let keyId: String

    /// Its nonce.
    public let nonce: SignatureNonce

    /// When it was signed.
    ///
    /// - Units: milliseconds since 1970-01-01T00:00:00Z; whole seconds.
    public let issuedAt: Int64
}
