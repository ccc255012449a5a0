/// How a test chain differs from a good one.
package struct TestChainRecipe: Sendable {
    /// The curve of the leaf's key.
    package enum LeafCurve: Sendable {
        /// As Apple's.
        case p256
        /// A curve that ES256 cannot use.
        case p384
    }

    /// When the root is valid.
    package var rootValidity: CertificateValidity
    /// When the intermediate is valid.
    package var intermediateValidity: CertificateValidity
    /// When the leaf is valid.
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
    /// Whether the leaf has a critical extension that nobody knows.
    package var leafHasUnknownDemand = false
    /// The curve of the leaf's key.
    package var leafCurve = LeafCurve.p256
    /// Whether the same keys give the same certificates, their signatures included.
    package var isDeterministic = false
    /// Where leaf and intermediate say that their issuer answers whether they are revoked (OCSP); `nil` for nowhere.
    package var ocspAddress: String?

    /// A good chain, valid for a time.
    package init(validity: CertificateValidity = .wide) {
        rootValidity = validity
        intermediateValidity = validity
        leafValidity = validity
    }
}
