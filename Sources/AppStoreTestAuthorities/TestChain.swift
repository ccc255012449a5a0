package import AppStoreSigning
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

    /// All three, leaf first, in the order of `x5c`.
    package var certificates: [[UInt8]] {
        [leaf, intermediate, root]
    }

    /// The prefix of the certificates' names.
    static let name = "Perennial local test"

    /// Creates a chain.
    ///
    /// - Throws: `certificate_not_made` if dates or keys are invalid.
    package init(keys: TestAuthorityKeys, recipe: TestChainRecipe) throws(SigningError) {
        do {
            let mint = try TestCertificateMint(
                root: Self.signingKey(keys.root, recipe),
                intermediate: Self.signingKey(keys.intermediate, recipe),
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

    /// Restores saved certificates, leaf first.
    ///
    /// - Throws: `certificate_malformed` if they are not a chain of three for the keys.
    package init(certificatesPEM: [String], keys: TestAuthorityKeys) throws(SigningError) {
        do {
            let documents = try certificatesPEM.map { try PEMDocument(pemString: $0) }
            let certificates = try documents.map { try Certificate(pemDocument: $0) }
            let expected = [
                Certificate.PublicKey(keys.leaf.publicKey), Certificate.PublicKey(keys.intermediate.publicKey),
                Certificate.PublicKey(keys.root.publicKey),
            ]
            guard certificates.map(\.publicKey) == expected else { throw Self.malformed }
            (leaf, intermediate, root) = (documents[0].derBytes, documents[1].derBytes, documents[2].derBytes)
            rootPEM = documents[2].pemString
        } catch {
            throw Self.malformed
        }
    }

    /// All three in PEM, leaf first.
    package var certificatesPEM: [String] {
        certificates.map { PEMDocument(type: "CERTIFICATE", derBytes: $0).pemString }
    }

    private static let malformed = SigningError(
        code: .certificateMalformed,
        message: "The certificates are leaf, intermediate and root of the given keys, each in PEM."
    )

    private static func signingKey(
        _ key: P384.Signing.PrivateKey,
        _ recipe: TestChainRecipe
    ) -> Certificate.PrivateKey {
        recipe.isDeterministic ? Certificate.PrivateKey(DeterministicP384Key(key)) : Certificate.PrivateKey(key)
    }
}
