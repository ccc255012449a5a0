import CryptoExtras

/// The private keys of a ``TestReceiptAuthority``: RSA with 2048 bits, as the App Store has for receipts.
///
/// Making them takes up to a second; keep them where many authorities are made.
public struct TestReceiptKeys: Sendable {
    let root: _RSA.Signing.PrivateKey
    let intermediate: _RSA.Signing.PrivateKey
    let leaf: _RSA.Signing.PrivateKey

    /// Makes three new keys.
    ///
    /// - Throws: `key_not_made` when the cryptographic library makes none.
    public init() throws(SigningError) {
        do {
            root = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            intermediate = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            leaf = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        } catch {
            throw SigningError(code: .keyNotMade, message: "No RSA key could be made on this machine.")
        }
    }

    /// Reads keys that were kept.
    ///
    /// - Parameters:
    ///   - rootPEM: An RSA private key in PEM.
    ///   - intermediatePEM: An RSA private key in PEM.
    ///   - leafPEM: An RSA private key in PEM.
    /// - Throws: `key_malformed` when a text is not such a key.
    public init(rootPEM: String, intermediatePEM: String, leafPEM: String) throws(SigningError) {
        do {
            root = try _RSA.Signing.PrivateKey(pemRepresentation: rootPEM)
            intermediate = try _RSA.Signing.PrivateKey(pemRepresentation: intermediatePEM)
            leaf = try _RSA.Signing.PrivateKey(pemRepresentation: leafPEM)
        } catch {
            throw SigningError(
                code: .keyMalformed,
                message: "The keys are three RSA private keys of 2048 bits or more in PEM."
            )
        }
    }

    /// The root's private key in PEM, a secret.
    public var rootPEM: String {
        root.pemRepresentation
    }

    /// The intermediate's private key in PEM, a secret.
    public var intermediatePEM: String {
        intermediate.pemRepresentation
    }

    /// The leaf's private key in PEM, a secret.
    public var leafPEM: String {
        leaf.pemRepresentation
    }
}

extension SigningError.Code {
    /// A key could not be generated.
    public static let keyNotMade = Self(rawValue: "key_not_made")
}
