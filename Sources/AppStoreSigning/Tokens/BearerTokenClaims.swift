/// The content of an accepted bearer token.
public struct BearerTokenClaims: Hashable, Sendable {
    /// The signing key.
    public let keyId: String

    /// The issuer.
    public let issuerId: String

    /// The app of the calls; absent in tokens for the App Store Connect API.
    public let bundleId: String?

    /// When it was created.
    ///
    /// - Units: seconds since 1970-01-01T00:00:00Z.
    public let issuedAt: Int64

    /// When it expires.
    ///
    /// - Units: seconds since 1970-01-01T00:00:00Z.
    public let expiresAt: Int64
}
