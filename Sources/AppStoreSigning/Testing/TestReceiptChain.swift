import CryptoExtras
import SwiftASN1
import X509

/// Root, intermediate and leaf of a test authority for receipts.
struct TestReceiptChain: Sendable {
    let root: Certificate
    let intermediate: Certificate
    let leaf: Certificate

    /// Mints a chain.
    ///
    /// - Throws: `certificate_not_made` when dates or keys are refused.
    init(keys: TestReceiptKeys, recipe: TestChainRecipe) throws(SigningError) {
        do {
            let mint = try TestCertificateMint(
                root: Certificate.PrivateKey(keys.root),
                intermediate: Certificate.PrivateKey(keys.intermediate),
                leaf: Certificate.PublicKey(keys.leaf.publicKey),
                signatureAlgorithm: .sha256WithRSAEncryption,
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
