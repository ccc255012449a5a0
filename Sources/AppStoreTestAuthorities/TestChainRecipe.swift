/// The differences of a test chain from a valid one.
package struct TestChainRecipe: Sendable {
    /// The curve of the leaf's key.
    package enum LeafCurve: Sendable {
        /// As Apple's.
        case p256
        /// A curve that ES256 cannot use.
        case p384
    }

    /// The validity of the root.
    package var rootValidity: CertificateValidity
    /// The validity of the intermediate.
    package var intermediateValidity: CertificateValidity
    /// The validity of the leaf.
    package var leafValidity: CertificateValidity
    /// Whether the intermediate has Apple's marker extension.
    package var intermediateHasMarker = true
    /// Whether the leaf has Apple's marker extension.
    package var leafHasMarker = true
    /// Whether the intermediate is a certificate authority.
    package var intermediateIsAuthority = true
    /// Whether the leaf is a certificate authority.
    package var leafIsAuthority = false
    /// Whether the leaf's key may sign data.
    package var leafMaySign = true
    /// Whether the leaf has an unknown critical extension.
    package var leafHasUnknownDemand = false
    /// The curve of the leaf's key.
    package var leafCurve = LeafCurve.p256
    /// Whether equal keys give equal certificates, including their signatures.
    package var isDeterministic = false
    /// The OCSP responder in leaf and intermediate; `nil` for none.
    package var ocspAddress: String?

    /// A valid chain for a validity period.
    package init(validity: CertificateValidity = .wide) {
        rootValidity = validity
        intermediateValidity = validity
        leafValidity = validity
    }
}
