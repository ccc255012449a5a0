/// What an accepted JWS of a developer says.
public struct VerifiedStoreKitRequest<Claims: StoreKitRequestClaims>: Hashable, Sendable {
    /// The claims of its kind.
    public let claims: Claims

    /// The key that signed it.
    public let keyId: String

    /// Its one-time UUID.
    public let nonce: SignatureNonce

    /// When it was signed.
    ///
    /// - Units: milliseconds since 1970-01-01T00:00:00Z; whole seconds.
    public let issuedAt: Int64
}
