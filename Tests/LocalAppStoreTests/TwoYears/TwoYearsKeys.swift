import AppStoreSigning
import AppStoreTestAuthorities
import Crypto

/// The keys of Apple and of the developer.
struct TwoYearsKeys: Sendable {
    /// Signs with a hash instead of a key: equal payloads have equal signatures, and a signature takes no time.
    ///
    /// What a signature is has its own tests; here only what is signed counts, and when.
    let signer: JWSSigner
    /// Signs receipts with a key of its process; only their content is compared.
    let receipts: TestReceiptAuthority
    /// Signs the developer's offers and requests. The key is public, because it follows from a seed.
    let developer: InAppPurchaseKey

    /// The header of all signed data.
    static let headerJSON = #"{"alg":"ES256"}"#

    /// The keys of all runs.
    static let shared = Result { try TwoYearsKeys() }

    private init() throws {
        signer = JWSSigner(headerJSON: Self.headerJSON, key: P256.Signing.PrivateKey()) { text in
            let digest = Array(SHA256.hash(data: text))
            return digest + digest
        }
        let authority = try TestAuthority(seed: 27)
        receipts = try TestReceiptAuthority(under: authority)
        developer = try InAppPurchaseKey(pem: authority.keys.leafPEM, keyId: "TWOYEARS27", issuerId: uuid(27))
    }
}
