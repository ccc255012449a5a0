public import AppStoreSigning
public import AppStoreTestAuthorities

/// The keys and certificates of a store, so that after a restart it is the same store to everybody who trusts it.
public struct StoreKeys: Sendable, Codable {
    private struct ClientKey: Codable {
        let pem: String
        let keyId: String
        let issuerId: String
    }

    private enum CodingKeys: String, CodingKey {
        case rootKey, intermediateKey, leafKey, certificates, clientKey, hasDeterministicSignatures, receiptKey
    }

    /// Has certified the key that signs.
    public let authority: TestAuthority

    /// Makes app receipts under the same root.
    public let receipts: TestReceiptAuthority

    /// Signs the bearer tokens of clients.
    public let clientKey: InAppPurchaseKey

    /// Whether the same payload has the same signature every time.
    public let hasDeterministicSignatures: Bool

    /// Signs what the store tells.
    public var signer: JWSSigner { hasDeterministicSignatures ? authority.deterministicSigner : authority.signer }

    /// Puts keys together.
    ///
    /// - Parameters:
    ///   - authority: Has certified the key that signs.
    ///   - clientKey: Signs the bearer tokens of clients.
    ///   - hasDeterministicSignatures: Whether the same payload has the same signature every time.
    ///   - receiptKeyPEM: The RSA private key that signs receipts; by default a new one, which takes a moment.
    /// - Throws: `SigningError` with `key_not_made`, `key_malformed` or `certificate_not_made`.
    public init(
        authority: TestAuthority,
        clientKey: InAppPurchaseKey,
        hasDeterministicSignatures: Bool = false,
        receiptKeyPEM: String? = nil
    ) throws(SigningError) {
        self.hasDeterministicSignatures = hasDeterministicSignatures
        self.authority = authority
        self.clientKey = clientKey
        receipts = try TestReceiptAuthority(under: authority, leafPEM: receiptKeyPEM)
    }

    /// Reads keys that were kept.
    ///
    /// - Throws: `SigningError` with `key_malformed` or `certificate_malformed`, or what the decoder throws.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let keys = try TestAuthorityKeys(
            rootPEM: try container.decode(String.self, forKey: .rootKey),
            intermediatePEM: try container.decode(String.self, forKey: .intermediateKey),
            leafPEM: try container.decode(String.self, forKey: .leafKey)
        )
        authority = try TestAuthority(
            keys: keys,
            certificatesPEM: try container.decode([String].self, forKey: .certificates)
        )
        hasDeterministicSignatures = try container.decode(Bool.self, forKey: .hasDeterministicSignatures)
        let receiptKey = try container.decode(String.self, forKey: .receiptKey)
        receipts = try TestReceiptAuthority(under: authority, leafPEM: receiptKey)
        let client = try container.decode(ClientKey.self, forKey: .clientKey)
        clientKey = try InAppPurchaseKey(pem: client.pem, keyId: client.keyId, issuerId: client.issuerId)
    }

    /// Writes the keys, which are secrets.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(authority.keys.rootPEM, forKey: .rootKey)
        try container.encode(authority.keys.intermediatePEM, forKey: .intermediateKey)
        try container.encode(authority.keys.leafPEM, forKey: .leafKey)
        try container.encode(authority.certificatesPEM, forKey: .certificates)
        try container.encode(receipts.keys.leafPEM, forKey: .receiptKey)
        let client = ClientKey(pem: clientKey.pem, keyId: clientKey.keyId, issuerId: clientKey.issuerId)
        try container.encode(hasDeterministicSignatures, forKey: .hasDeterministicSignatures)
        try container.encode(client, forKey: .clientKey)
    }
}
