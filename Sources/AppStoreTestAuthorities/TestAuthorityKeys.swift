public import AppStoreSigning
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

    /// Parses saved keys.
    ///
    /// - Parameters:
    ///   - rootPEM: A P-384 private key in PEM.
    ///   - intermediatePEM: A P-384 private key in PEM.
    ///   - leafPEM: A P-256 private key in PEM.
    /// - Throws: `key_malformed` if a text is not such a key.
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

    /// Derives three keys from a seed, which is public, so the keys are not secret.
    ///
    /// - Throws: `key_malformed`, which no seed is known to cause.
    init(seed: UInt64) throws(SigningError) {
        do {
            root = try P384.Signing.PrivateKey(rawRepresentation: Self.scalar("root", seed))
            intermediate = try P384.Signing.PrivateKey(rawRepresentation: Self.scalar("intermediate", seed))
            leaf = try P256.Signing.PrivateKey(rawRepresentation: Self.scalar("leaf", seed).prefix(32))
        } catch {
            throw SigningError(code: .keyMalformed, message: "The seed gives no keys; choose another one.")
        }
    }

    /// A number below the order of either curve: its first bit is 0.
    private static func scalar(_ name: String, _ seed: UInt64) -> [UInt8] {
        var bytes = Array(SHA384.hash(data: Array("perennial test authority, \(name), seed \(seed)".utf8)))
        bytes[0] &= 0x7f
        return bytes
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
