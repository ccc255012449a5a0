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
}
