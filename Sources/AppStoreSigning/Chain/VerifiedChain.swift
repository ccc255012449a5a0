package import Crypto

/// What remains to be known of a certificate chain once it has been verified.
package struct VerifiedChain: Sendable {
    /// A configured root to which the chain leads, and when all three certificates are valid with it.
    package struct Anchor: Sendable {
        /// The root.
        package let root: TrustedRoot
        /// The first instant at which all three certificates are valid.
        ///
        /// - Units: milliseconds since 1970-01-01T00:00:00Z.
        package let validFrom: Int64
        /// The last instant at which all three certificates are valid.
        ///
        /// - Units: milliseconds since 1970-01-01T00:00:00Z.
        package let validThrough: Int64
    }

    /// The leaf's key, which signs payloads.
    package let leafKey: P256.Signing.PublicKey

    /// The leaf certificate.
    ///
    /// - Units: DER bytes.
    package let leaf: [UInt8]

    /// The intermediate certificate.
    ///
    /// - Units: DER bytes.
    package let intermediate: [UInt8]

    /// The configured roots with the key that the chain leads to: one, or more where a root was renewed.
    package let anchors: [Anchor]

    /// Whether all certificates were valid at an instant, under one of the roots.
    package func isValid(at milliseconds: Int64) -> Bool {
        for anchor in anchors where anchor.validFrom <= milliseconds && milliseconds <= anchor.validThrough {
            return true
        }
        return false
    }
}
