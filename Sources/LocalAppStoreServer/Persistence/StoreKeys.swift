public import AppStoreSigning
public import AppStoreTestAuthorities

/// The keys and certificates of a store. With them, a restarted store keeps its identity.
public struct StoreKeys: Sendable, Codable {
    private enum CodingKeys: String, CodingKey {
        case rootKey, intermediateKey, leafKey, certificates, clientKey, hasDeterministicSignatures, receiptKey
    }

    /// The authority that certified the signing key.
    public let authority: TestAuthority

    /// Creates app receipts under the same root.
    public let receipts: TestReceiptAuthority

    /// The first key that signs the bearer tokens of clients; more can be issued, and this one revoked.
    public let clientKey: InAppPurchaseKey

    /// Whether equal payloads have equal signatures.
    public let hasDeterministicSignatures: Bool

    /// Signs the store's payloads.
    public var signer: JWSSigner { hasDeterministicSignatures ? authority.deterministicSigner : authority.signer }

    /// Combines keys.
    ///
    /// - Parameters:
    ///   - authority: The authority that certified the signing key.
    ///   - clientKey: Signs the bearer tokens of clients.
    ///   - hasDeterministicSignatures: Whether equal payloads have equal signatures.
    ///   - receiptKeyPEM: The RSA private key that signs receipts; the default is a new key, which takes a moment to
    ///     create.
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

    /// Decodes saved keys.
    ///
    /// - Throws: `SigningError` with `key_malformed` or `certificate_malformed`, or errors of the decoder.
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
        clientKey = try container.decode(SavedClientKey.self, forKey: .clientKey).key()
    }

    /// Encodes the keys, which are secrets.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(authority.keys.rootPEM, forKey: .rootKey)
        try container.encode(authority.keys.intermediatePEM, forKey: .intermediateKey)
        try container.encode(authority.keys.leafPEM, forKey: .leafKey)
        try container.encode(authority.certificatesPEM, forKey: .certificates)
        try container.encode(receipts.keys.leafPEM, forKey: .receiptKey)
        try container.encode(hasDeterministicSignatures, forKey: .hasDeterministicSignatures)
        try container.encode(SavedClientKey(clientKey), forKey: .clientKey)
    }
}
