import AppStoreSigning
import CryptoExtras
import SwiftASN1
import X509

/// Root, intermediate and leaf of a test authority for receipts.
struct TestReceiptChain: Sendable {
    let root: Certificate
    let intermediate: Certificate
    let leaf: Certificate

    /// Creates a receipt leaf under the root and the intermediate of a JWS authority.
    ///
    /// - Throws: `certificate_not_made` if dates or keys are invalid.
    init(under chain: TestChain, keys: TestReceiptKeys, recipe: TestChainRecipe) throws(SigningError) {
        do {
            let mint = try TestCertificateMint(
                root: keys.root,
                intermediate: keys.intermediate,
                leaf: Certificate.PublicKey(keys.leaf.publicKey),
                signatureAlgorithm: keys.signatureAlgorithm,
                name: TestChain.name,
                leafName: "Perennial local test receipt signing",
                recipe: recipe
            )
            root = try Certificate(derEncoded: chain.root)
            intermediate = try Certificate(derEncoded: chain.intermediate)
            leaf = try mint.leaf()
        } catch {
            throw SigningError(
                code: .certificateNotMade,
                message: "The certificate for receipts could not be made; check the dates of its validity."
            )
        }
    }

    /// Creates a chain.
    ///
    /// - Throws: `certificate_not_made` if dates or keys are invalid.
    init(keys: TestReceiptKeys, recipe: TestChainRecipe) throws(SigningError) {
        do {
            let mint = try TestCertificateMint(
                root: keys.root,
                intermediate: keys.intermediate,
                leaf: Certificate.PublicKey(keys.leaf.publicKey),
                signatureAlgorithm: keys.signatureAlgorithm,
                name: "Perennial local test receipt",
                recipe: recipe
            )
            root = try mint.root()
            intermediate = try mint.intermediate()
            leaf = try mint.leaf()
        } catch {
            throw SigningError(
                code: .certificateNotMade,
                message: "The test certificates could not be made; check the dates of their validity."
            )
        }
    }
}

extension Certificate {
    /// The certificate in DER.
    func derBytes() throws(SigningError) -> [UInt8] {
        do {
            return try serializeAsPEM().derBytes
        } catch {
            throw SigningError(code: .certificateNotMade, message: "A test certificate could not be written.")
        }
    }
}
