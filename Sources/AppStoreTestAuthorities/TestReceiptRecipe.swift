import AppStoreSigning
package import SwiftASN1

/// The differences of a test receipt from a valid one.
package struct TestReceiptRecipe: Sendable {
    /// The digest algorithm of the signature.
    package enum Digest: Sendable, CaseIterable {
        /// As in the App Store until 2023.
        case sha1
        /// As in the App Store since then.
        case sha256
        /// Never used by the App Store.
        case sha512
    }

    /// The certificates in the container.
    package enum Certificates: Sendable, CaseIterable {
        /// Leaf, intermediate and root, as in the App Store's.
        case all
        /// The same, root first.
        case reversed
        /// Leaf and intermediate.
        case withoutRoot
        /// Leaf and root.
        case withoutIntermediate
        /// Intermediate and root.
        case withoutLeaf
        /// None.
        case none
    }

    /// The digest algorithm of the signature.
    package var digest = Digest.sha256
    /// Whether attributes with the content's digest are signed instead of the content.
    package var hasSignedAttributes = false
    /// Whether the container has indefinite lengths and content in parts, as in Xcode's.
    package var hasIndefiniteLengths = false
    /// Whether the signer's certificate is identified by its key identifier instead of issuer and serial number.
    package var namesSignerByKeyIdentifier = false
    /// The number of signatures.
    package var signatures = 1
    /// The content that replaces the signed one.
    package var contentAfterSigning: [UInt8]?
    /// The bytes that replace the content's digest in the signed attributes.
    package var messageDigest: [UInt8]?
    /// The content type in the signed attributes.
    package var signedContentType = ASN1ObjectIdentifier.data
    /// The identifier of the signature algorithm; the default is RSA without a digest, as in the App Store's.
    package var signatureAlgorithm: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 1, 1]
    /// The certificates in the container.
    package var certificates = Certificates.all
    /// Chains with the same keys and names, as after a renewal; their certificates come first.
    package var renewedChains: [TestChainRecipe] = []
    /// The differences of the certificates from valid ones; the curve is ignored, because receipts have RSA keys.
    /// Absent for the authority's own.
    package var chain: TestChainRecipe?

    /// A valid receipt.
    package init() {}
}
