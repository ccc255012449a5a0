package import Crypto

/// What remains to be known of a certificate chain once it has been verified.
package struct VerifiedChain: Sendable {
    /// The leaf's key, which signs payloads.
    package let leafKey: P256.Signing.PublicKey

    /// The first instant at which all three certificates are valid.
    ///
    /// - Units: milliseconds since 1970-01-01T00:00:00Z.
    package let validFrom: Int64

    /// The last instant at which all three certificates are valid.
    ///
    /// - Units: milliseconds since 1970-01-01T00:00:00Z.
    package let validThrough: Int64

    /// The configured root that the chain was verified against.
    package let root: TrustedRoot

    /// Whether all three certificates were valid at an instant.
    package func isValid(at milliseconds: Int64) -> Bool {
        validFrom <= milliseconds && milliseconds <= validThrough
    }
}
