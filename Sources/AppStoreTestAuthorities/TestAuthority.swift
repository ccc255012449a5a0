public import AppStoreSigning
import Crypto
import X509

/// A certificate authority of your own, built like the App Store's, for local stores and tests.
///
/// It mints a root and an intermediate with P-384 keys and a leaf with a P-256 key, with Apple's marker extensions; the
/// names say that they are Perennial's local test certificates. A verifier accepts what it signs only when its root is
/// configured there as a ``TrustedRoot``.
public struct TestAuthority: Sendable {
    /// The three private keys; with the same keys an authority stays the same over restarts.
    public let keys: TestAuthorityKeys

    /// The chain that its signatures carry.
    package let chain: TestChain

    /// Makes an authority.
    ///
    /// - Parameters:
    ///   - keys: New keys by default.
    ///   - validity: When the certificates are valid; by default from 2010 to 2100, wide enough for virtual clocks.
    /// - Throws: `certificate_not_made` when the dates or keys are refused.
    public init(
        keys: TestAuthorityKeys = TestAuthorityKeys(),
        validity: CertificateValidity = .wide
    ) throws(SigningError) {
        self.keys = keys
        self.chain = try TestChain(keys: keys, recipe: TestChainRecipe(validity: validity))
    }

    /// Makes the authority of a seed: the same seed gives the same keys and the same certificates, byte for byte.
    ///
    /// Whoever knows the seed knows the keys: for tests whose output is compared, and for nothing that is reachable by
    /// others.
    ///
    /// - Throws: `key_malformed` or `certificate_not_made`, which no seed is known to cause.
    public init(seed: UInt64) throws(SigningError) {
        keys = try TestAuthorityKeys(seed: seed)
        var recipe = TestChainRecipe()
        recipe.isDeterministic = true
        chain = try TestChain(keys: keys, recipe: recipe)
    }

    /// Makes an authority of what was kept: the same to everybody who trusts its root.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - certificatesPEM: Its ``certificatesPEM``.
    /// - Throws: `certificate_malformed` when they are no certificates of these keys.
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

    /// The root, to be configured in a verifier.
    public var trustedRoot: TrustedRoot {
        TrustedRoot(embedded: chain.root)
    }

    /// Signs payloads with the leaf's key and sends the chain along.
    public var signer: JWSSigner {
        JWSSigner(chain: chain.certificates, key: keys.leaf)
    }

    /// Signs as ``signer`` does, the same payload with the same signature every time (RFC 6979); slower, and for tests
    /// and local stores only.
    public var deterministicSigner: JWSSigner {
        let key = Array(keys.leaf.rawRepresentation)
        return JWSSigner(chain: chain.certificates, key: keys.leaf) { text in
            try DeterministicECDSA<DeterministicP256>.signature(for: text, key: key)
        }
    }
}
