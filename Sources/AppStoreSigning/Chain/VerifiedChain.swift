package import Crypto

/// The result of verifying a certificate chain.
package struct VerifiedChain: Sendable {
    /// A configured root of the chain, and the common validity of all three certificates.
    package struct Anchor: Sendable {
        /// The root.
        package let root: TrustedRoot
        /// The start of the common validity of all three certificates.
        ///
        /// - Units: milliseconds since 1970-01-01T00:00:00Z.
        package let validFrom: Int64
        /// The end of the common validity of all three certificates.
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

    /// The configured roots with the key of the chain's root: one, or more if a root was renewed.
    package let anchors: [Anchor]

    /// Whether all certificates were valid at a time, under one of the roots.
    package func isValid(at milliseconds: Int64) -> Bool {
        for anchor in anchors where anchor.validFrom <= milliseconds && milliseconds <= anchor.validThrough {
            return true
        }
        return false
    }
}
