public import AppStoreSigning
import CryptoExtras
import X509

/// The private keys of a ``TestReceiptAuthority``: 2048-bit RSA, as for the App Store's receipts.
///
/// Generating them takes up to a second; reuse them for many authorities.
public struct TestReceiptKeys: Sendable {
    let root: Certificate.PrivateKey
    let intermediate: Certificate.PrivateKey
    let leaf: _RSA.Signing.PrivateKey
    /// The keys with which root and intermediate sign certificates.
    let signatureAlgorithm: Certificate.SignatureAlgorithm

    /// The root's private key in PEM, a secret.
    public let rootPEM: String

    /// The intermediate's private key in PEM, a secret.
    public let intermediatePEM: String

    /// Makes three new keys.
    ///
    /// - Throws: `key_not_made` if the cryptographic library fails.
    public init() throws(SigningError) {
        try self.init(root: Self.newKey(), intermediate: Self.newKey(), leaf: Self.newKey())
    }

    /// Parses saved keys.
    ///
    /// - Parameters:
    ///   - rootPEM: An RSA private key in PEM.
    ///   - intermediatePEM: An RSA private key in PEM.
    ///   - leafPEM: An RSA private key in PEM.
    /// - Throws: `key_malformed` if a text is not such a key.
    public init(rootPEM: String, intermediatePEM: String, leafPEM: String) throws(SigningError) {
        try self.init(
            root: Self.key(rootPEM),
            intermediate: Self.key(intermediatePEM),
            leaf: Self.key(leafPEM)
        )
    }

    /// Uses root and intermediate of a JWS authority, which have P-384 keys, and an RSA key for the leaf.
    ///
    /// - Parameter leafPEM: An RSA private key in PEM; the default is a new one.
    /// - Throws: `key_not_made`, `key_malformed`.
    init(under keys: TestAuthorityKeys, leafPEM: String?) throws(SigningError) {
        if let leafPEM { leaf = try Self.key(leafPEM) } else { leaf = try Self.newKey() }
        root = Certificate.PrivateKey(keys.root)
        intermediate = Certificate.PrivateKey(keys.intermediate)
        signatureAlgorithm = .ecdsaWithSHA384
        rootPEM = keys.rootPEM
        intermediatePEM = keys.intermediatePEM
    }

    private init(root: _RSA.Signing.PrivateKey, intermediate: _RSA.Signing.PrivateKey, leaf: _RSA.Signing.PrivateKey) {
        self.root = Certificate.PrivateKey(root)
        self.intermediate = Certificate.PrivateKey(intermediate)
        self.leaf = leaf
        signatureAlgorithm = .sha256WithRSAEncryption
        rootPEM = root.pemRepresentation
        intermediatePEM = intermediate.pemRepresentation
    }

    /// The leaf's private key in PEM, a secret.
    public var leafPEM: String {
        leaf.pemRepresentation
    }

    private static func newKey() throws(SigningError) -> _RSA.Signing.PrivateKey {
        do {
            return try _RSA.Signing.PrivateKey(keySize: .bits2048)
        } catch {
            throw SigningError(code: .keyNotMade, message: "No RSA key could be made on this machine.")
        }
    }

    private static func key(_ pem: String) throws(SigningError) -> _RSA.Signing.PrivateKey {
        do {
            return try _RSA.Signing.PrivateKey(pemRepresentation: pem)
        } catch {
            throw SigningError(
                code: .keyMalformed,
                message: "The keys are three RSA private keys of 2048 bits or more in PEM."
            )
        }
    }
}

extension SigningError.Code {
    /// A key could not be generated.
    public static let keyNotMade = Self(rawValue: "key_not_made")
}
