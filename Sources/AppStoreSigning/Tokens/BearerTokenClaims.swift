/// What an accepted bearer token says.
public struct BearerTokenClaims: Hashable, Sendable {
    /// The key that signed it.
    public let keyId: String

    /// The issuer.
    public let issuerId: String

    /// The app that the calls are about; absent in tokens for the App Store Connect API.
    public let bundleId: String?

    /// When it was made.
    ///
    /// - Units: seconds since 1970-01-01T00:00:00Z.
    public let issuedAt: Int64

    /// When it ends.
    ///
    /// - Units: seconds since 1970-01-01T00:00:00Z.
    public let expiresAt: Int64
}
