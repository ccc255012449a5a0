import AppStoreSigning
package import SwiftASN1

/// How a test receipt differs from a good one.
package struct TestReceiptRecipe: Sendable {
    /// The digest algorithm of the signature.
    package enum Digest: Sendable, CaseIterable {
        /// As the App Store had until 2023.
        case sha1
        /// As the App Store has since.
        case sha256
        /// As the App Store never had.
        case sha512
    }

    /// Which certificates come along.
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
    /// Whether attributes with the content's digest are signed in place of the content.
    package var hasSignedAttributes = false
    /// Whether the container has indefinite lengths and content in pieces, as Xcode's.
    package var hasIndefiniteLengths = false
    /// Whether the signer's certificate is named by its key identifier in place of issuer and serial number.
    package var namesSignerByKeyIdentifier = false
    /// How many signatures there are.
    package var signatures = 1
    /// What stands in place of the content after it was signed.
    package var contentAfterSigning: [UInt8]?
    /// What stands in the signed attributes in place of the content's digest.
    package var messageDigest: [UInt8]?
    /// What the signed attributes say that the content is.
    package var signedContentType = ASN1ObjectIdentifier.data
    /// How the signature algorithm is named; RSA without a digest by default, as in the App Store's.
    package var signatureAlgorithm: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 1, 1]
    /// Which certificates come along.
    package var certificates = Certificates.all
    /// Chains under the same keys and names, as of certificates that were renewed, whose certificates come first.
    package var renewedChains: [TestChainRecipe] = []
    /// How the certificates differ from good ones; receipts have RSA keys, so its curve counts
    /// for nothing. The authority's own when absent.
    package var chain: TestChainRecipe?

    /// A good receipt.
    package init() {}
}
