import Crypto

/// The private keys of a ``TestAuthority``.
public struct TestAuthorityKeys: Sendable {
    let root: P384.Signing.PrivateKey
    let intermediate: P384.Signing.PrivateKey
    let leaf: P256.Signing.PrivateKey

    /// Makes three new keys.
    public init() {
        root = P384.Signing.PrivateKey()
        intermediate = P384.Signing.PrivateKey()
        leaf = P256.Signing.PrivateKey()
    }

    /// Reads keys that were kept.
    ///
    /// - Parameters:
    ///   - rootPEM: A P-384 private key in PEM.
    ///   - intermediatePEM: A P-384 private key in PEM.
    ///   - leafPEM: A P-256 private key in PEM.
    /// - Throws: `key_malformed` when a text is not such a key.
    public init(rootPEM: String, intermediatePEM: String, leafPEM: String) throws(SigningError) {
        do {
            root = try P384.Signing.PrivateKey(pemRepresentation: rootPEM)
            intermediate = try P384.Signing.PrivateKey(pemRepresentation: intermediatePEM)
            leaf = try P256.Signing.PrivateKey(pemRepresentation: leafPEM)
        } catch {
            throw SigningError(
                code: .keyMalformed,
                message: "The keys are P-384 (root), P-384 (intermediate) and P-256 (leaf) private keys in PEM."
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
