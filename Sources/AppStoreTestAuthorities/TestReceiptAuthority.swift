public import AppStoreSigning
import PerennialPrimitives
import SwiftASN1
import X509

/// Your own authority for receipts with the structure of the App Store's, for local stores and tests.
///
/// It creates a root, an intermediate and a leaf with RSA keys and Apple's marker extensions; the names mark them as
/// Perennial's local test certificates. A ``ReceiptVerifier`` accepts its receipts only if ``receiptRoot`` is
/// configured there.
public struct TestReceiptAuthority: Sendable {
    /// The three private keys; with the same keys an authority keeps its identity across restarts.
    public let keys: TestReceiptKeys

    /// The root certificate in DER.
    public let rootCertificateDER: [UInt8]

    /// The root certificate in PEM.
    public let rootCertificatePEM: String

    private let chain: TestReceiptChain

    /// Makes an authority with new keys, which takes up to a second.
    ///
    /// - Parameter validity: The validity of the certificates; the default is 2010 to 2100.
    /// - Throws: `key_not_made`, or `certificate_not_made` if the dates are invalid.
    public init(validity: CertificateValidity = .wide) throws(SigningError) {
        try self.init(keys: TestReceiptKeys(), validity: validity)
    }

    /// Makes an authority with saved keys.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - validity: The validity of the certificates; the default is 2010 to 2100.
    /// - Throws: `certificate_not_made` if the dates are invalid.
    public init(keys: TestReceiptKeys, validity: CertificateValidity = .wide) throws(SigningError) {
        let chain = try TestReceiptChain(keys: keys, recipe: TestChainRecipe(validity: validity))
        try self.init(keys: keys, chain: chain)
    }

    /// Makes a receipt authority under the root of a JWS authority, so that one root is sufficient for both.
    ///
    /// Only the leaf, which signs receipts, has an RSA key then.
    ///
    /// - Parameters:
    ///   - authority: The authority whose root and intermediate it shares.
    ///   - leafPEM: The saved RSA private key of the leaf in PEM; the default is a new one, which takes a moment.
    ///   - validity: The validity of the leaf's certificate; the default is 2010 to 2100.
    /// - Throws: `key_not_made`, `key_malformed`, or `certificate_not_made` if the dates are invalid.
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

    /// The root, for the configuration of a verifier.
    public var receiptRoot: ReceiptRoot {
        ReceiptRoot(TrustedRoot(embedded: rootCertificateDER))
    }

    /// Creates a receipt.
    ///
    /// - Parameters:
    ///   - receipt: Its content; verification requires `creationDate`.
    ///   - deviceIdentifier: The device of the receipt; without one, the receipt's own hash stays unchanged.
    /// - Returns: PKCS #7 in DER.
    /// - Throws: `signing_failed` if the cryptographic library fails.
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

    /// Creates a receipt in base64, as apps send it.
    ///
    /// - Parameters:
    ///   - receipt: Its content.
    ///   - deviceIdentifier: The device of the receipt; without one, the receipt's own hash stays unchanged.
    /// - Throws: `signing_failed` if the cryptographic library fails.
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

    /// Creates a receipt with differences from a valid one.
    package func mint(_ receipt: AppReceipt, recipe: TestReceiptRecipe) throws(SigningError) -> [UInt8] {
        try mint(content: TestReceiptContent.bytes(receipt), recipe: recipe)
    }

    /// Signs any content as a receipt.
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
