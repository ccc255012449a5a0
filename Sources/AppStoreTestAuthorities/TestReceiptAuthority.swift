public import AppStoreSigning
import PerennialPrimitives
import SwiftASN1
import X509

/// An authority of your own that makes receipts like the App Store's, for local stores and tests.
///
/// It mints a root, an intermediate and a leaf with RSA keys and Apple's marker extensions; the names say that they are
/// Perennial's local test certificates. A ``ReceiptVerifier`` accepts its receipts only when ``receiptRoot`` is
/// configured there.
public struct TestReceiptAuthority: Sendable {
    /// The three private keys; with the same keys an authority stays the same over restarts.
    public let keys: TestReceiptKeys

    /// The root certificate in DER.
    public let rootCertificateDER: [UInt8]

    /// The root certificate in PEM.
    public let rootCertificatePEM: String

    private let chain: TestReceiptChain

    /// Makes an authority with new keys, which takes up to a second.
    ///
    /// - Parameter validity: When the certificates are valid; by default from 2010 to 2100.
    /// - Throws: `key_not_made`, or `certificate_not_made` when the dates are refused.
    public init(validity: CertificateValidity = .wide) throws(SigningError) {
        try self.init(keys: TestReceiptKeys(), validity: validity)
    }

    /// Makes an authority with keys that were kept.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - validity: When the certificates are valid; by default from 2010 to 2100.
    /// - Throws: `certificate_not_made` when the dates are refused.
    public init(keys: TestReceiptKeys, validity: CertificateValidity = .wide) throws(SigningError) {
        let chain = try TestReceiptChain(keys: keys, recipe: TestChainRecipe(validity: validity))
        try self.init(keys: keys, chain: chain)
    }

    /// Makes an authority for receipts under the root of an authority for JWS, so that one root is enough for both.
    ///
    /// Only the leaf's key is RSA then, which is what signs receipts.
    ///
    /// - Parameters:
    ///   - authority: Whose root and intermediate it shares.
    ///   - leafPEM: The leaf's RSA private key in PEM, where it was kept; by default a new one, which takes a moment.
    ///   - validity: When the leaf's certificate is valid; by default from 2010 to 2100.
    /// - Throws: `key_not_made`, `key_malformed`, or `certificate_not_made` when the dates are refused.
    public init(
        under authority: TestAuthority,
        leafPEM: String? = nil,
        validity: CertificateValidity = .wide
    ) throws(SigningError) {
        let keys = try TestReceiptKeys(under: authority.keys, leafPEM: leafPEM)
        let recipe = TestChainRecipe(validity: validity)
        try self.init(keys: keys, chain: TestReceiptChain(under: authority.chain, keys: keys, recipe: recipe))
    }

    private init(keys: TestReceiptKeys, chain: TestReceiptChain) throws(SigningError) {
        self.keys = keys
        self.chain = chain
        do {
            let document = try chain.root.serializeAsPEM()
            rootCertificateDER = document.derBytes
            rootCertificatePEM = document.pemString
        } catch {
            throw SigningError(code: .certificateNotMade, message: "A test certificate could not be written.")
        }
    }

    /// The root, to be configured in a verifier.
    public var receiptRoot: ReceiptRoot {
        ReceiptRoot(TrustedRoot(embedded: rootCertificateDER))
    }

    /// Makes a receipt.
    ///
    /// - Parameters:
    ///   - receipt: What it says; `creationDate` is needed for the receipt to verify.
    ///   - deviceIdentifier: The device it is for; without one, the receipt's own hash stays as it is.
    /// - Returns: PKCS #7 in DER.
    /// - Throws: `signing_failed` when the cryptographic library refuses.
    public func mint(
        _ receipt: AppReceipt,
        forDevice deviceIdentifier: [UInt8]? = nil
    ) throws(SigningError) -> [UInt8] {
        var receipt = receipt
        if let deviceIdentifier {
            receipt.sha1Hash = AppReceipt.hash(
                device: deviceIdentifier,
                opaqueValue: receipt.opaqueValue,
                bundleIdAttribute: receipt.bundleIdAttribute
            )
        }
        return try mint(content: TestReceiptContent.bytes(receipt), recipe: TestReceiptRecipe())
    }

    /// Makes a receipt as apps send it: in base64.
    ///
    /// - Parameters:
    ///   - receipt: What it says.
    ///   - deviceIdentifier: The device it is for; without one, the receipt's own hash stays as it is.
    /// - Throws: `signing_failed` when the cryptographic library refuses.
    public func mintBase64(
        _ receipt: AppReceipt,
        forDevice deviceIdentifier: [UInt8]? = nil
    ) throws(SigningError) -> String {
        let bytes = try mint(receipt, forDevice: deviceIdentifier)
        return String(decoding: Base64.encode(bytes, .standard), as: UTF8.self)
    }

    /// The leaf certificate in DER.
    func leafCertificateDER() throws(SigningError) -> [UInt8] {
        try chain.leaf.derBytes()
    }

    /// Makes a receipt that differs from a good one.
    package func mint(_ receipt: AppReceipt, recipe: TestReceiptRecipe) throws(SigningError) -> [UInt8] {
        try mint(content: TestReceiptContent.bytes(receipt), recipe: recipe)
    }

    /// Signs any content as that of a receipt.
    package func mint(
        content: [UInt8],
        recipe: TestReceiptRecipe = TestReceiptRecipe()
    ) throws(SigningError) -> [UInt8] {
        var renewed: [TestReceiptChain] = []
        for chain in recipe.renewedChains {
            renewed.append(try TestReceiptChain(keys: keys, recipe: chain))
        }
        let container = TestReceiptContainer(
            chain: try chain(for: recipe),
            renewed: renewed,
            key: keys.leaf,
            recipe: recipe
        )
        return try container.bytes(content)
    }

    private func chain(for recipe: TestReceiptRecipe) throws(SigningError) -> TestReceiptChain {
        guard let chain = recipe.chain else { return chain }
        return try TestReceiptChain(keys: keys, recipe: chain)
    }
}
