import Crypto
import SwiftASN1
import X509

/// Root, intermediate and leaf of a test authority.
package struct TestChain: Sendable {
    /// The root certificate.
    ///
    /// - Units: DER bytes.
    package let root: [UInt8]

    /// The root certificate in PEM.
    package let rootPEM: String

    /// The intermediate certificate.
    ///
    /// - Units: DER bytes.
    package let intermediate: [UInt8]

    /// The leaf certificate.
    ///
    /// - Units: DER bytes.
    package let leaf: [UInt8]

    /// All three, leaf first, as `x5c` has them.
    package var certificates: [[UInt8]] {
        [leaf, intermediate, root]
    }

    /// How the names of the certificates begin.
    static let name = "Perennial local test"

    /// Mints a chain.
    ///
    /// - Throws: `certificate_not_made` when dates or keys are refused.
    package init(keys: TestAuthorityKeys, recipe: TestChainRecipe) throws(SigningError) {
        do {
            let mint = try TestCertificateMint(
                root: Certificate.PrivateKey(keys.root),
                intermediate: Certificate.PrivateKey(keys.intermediate),
                leaf: recipe.leafCurve == .p256
                    ? Certificate.PublicKey(keys.leaf.publicKey) : Certificate.PublicKey(keys.intermediate.publicKey),
                signatureAlgorithm: .ecdsaWithSHA384,
                name: Self.name,
                recipe: recipe
            )
            let root = try mint.root()
            self.root = try root.serializeAsPEM().derBytes
            self.rootPEM = try root.serializeAsPEM().pemString
            self.intermediate = try mint.intermediate().serializeAsPEM().derBytes
            self.leaf = try mint.leaf().serializeAsPEM().derBytes
        } catch {
            throw SigningError(
                code: .certificateNotMade,
                message: "The test certificates could not be made; check the dates of their validity."
            )
        }
    }
}
