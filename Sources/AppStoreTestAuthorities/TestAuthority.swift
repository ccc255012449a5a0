public import AppStoreSigning
import Crypto
import X509

/// Your own certificate authority with the structure of the App Store's, for local stores and tests.
///
/// It creates a root and an intermediate with P-384 keys and a leaf with a P-256 key, with Apple's marker extensions;
/// the names mark them as Perennial's local test certificates. A verifier accepts its signatures only if its root is
/// configured there as a ``TrustedRoot``.
public struct TestAuthority: Sendable {
    /// The three private keys; with the same keys an authority keeps its identity across restarts.
    public let keys: TestAuthorityKeys

    /// The chain in its signatures.
    package let chain: TestChain

    /// Makes an authority.
    ///
    /// - Parameters:
    ///   - keys: New keys by default.
    ///   - validity: The validity of the certificates; the default is 2010 to 2100, wide enough for virtual clocks.
    /// - Throws: `certificate_not_made` if the dates or keys are invalid.
    public init(
        keys: TestAuthorityKeys = TestAuthorityKeys(),
        validity: CertificateValidity = .wide
    ) throws(SigningError) {
        self.keys = keys
        self.chain = try TestChain(keys: keys, recipe: TestChainRecipe(validity: validity))
    }

    /// Makes the authority of a seed: equal seeds give equal keys and certificates, byte for byte.
    ///
    /// Anyone with the seed has the keys: use it only for tests whose output is compared, never for a reachable
    /// service.
    ///
    /// - Throws: `key_malformed` or `certificate_not_made`, which no seed is known to cause.
    public init(seed: UInt64) throws(SigningError) {
        keys = try TestAuthorityKeys(seed: seed)
        var recipe = TestChainRecipe()
        recipe.isDeterministic = true
        chain = try TestChain(keys: keys, recipe: recipe)
    }

    /// Restores a saved authority, with the same identity.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - certificatesPEM: Its ``certificatesPEM``.
    /// - Throws: `certificate_malformed` if they are not certificates of these keys.
    public init(keys: TestAuthorityKeys, certificatesPEM: [String]) throws(SigningError) {
        self.keys = keys
        chain = try TestChain(certificatesPEM: certificatesPEM, keys: keys)
    }

    /// Leaf, intermediate and root in PEM.
    public var certificatesPEM: [String] { chain.certificatesPEM }

    /// The root certificate in DER.
    public var rootCertificateDER: [UInt8] {
        chain.root
    }

    /// The root certificate in PEM.
    public var rootCertificatePEM: String {
        chain.rootPEM
    }

    /// The root, for the configuration of a verifier.
    public var trustedRoot: TrustedRoot {
        TrustedRoot(embedded: chain.root)
    }

    /// Signs payloads with the leaf's key, and includes the chain.
    public var signer: JWSSigner {
        JWSSigner(chain: chain.certificates, key: keys.leaf)
    }

    /// Signs as ``signer`` does, but equal payloads have equal signatures (RFC 6979); slower, and for tests and local
    /// stores only.
    public var deterministicSigner: JWSSigner {
        let key = Array(keys.leaf.rawRepresentation)
        return JWSSigner(chain: chain.certificates, key: keys.leaf) { text in
            try DeterministicECDSA<DeterministicP256>.signature(for: text, key: key)
        }
    }
}
