import Crypto

/// The public part of an In-App Purchase key, which checks its signatures.
public struct InAppPurchasePublicKey: Sendable {
    /// The key's identifier, sent as `kid`.
    public let keyId: String

    /// The team's issuer identifier, sent as `iss`.
    public let issuerId: String

    let key: P256.Signing.PublicKey

    /// Parses a public key.
    ///
    /// - Parameters:
    ///   - pem: SubjectPublicKeyInfo in PEM, as written by `openssl ec -pubout`.
    ///   - keyId: The key's identifier.
    ///   - issuerId: The issuer's identifier.
    /// - Throws: `key_malformed` if the text is not a P-256 public key.
    public init(pem: String, keyId: String, issuerId: String) throws(SigningError) {
        do {
            key = try P256.Signing.PublicKey(pemRepresentation: pem)
        } catch {
            throw SigningError(code: .keyMalformed, message: "Not a P-256 public key in PEM.")
        }
        self.keyId = keyId
        self.issuerId = issuerId
    }

    init(_ privateKey: InAppPurchaseKey) {
        key = privateKey.privateKey.publicKey
        keyId = privateKey.keyId
        issuerId = privateKey.issuerId
    }

    /// The key in PEM.
    public var pem: String {
        key.pemRepresentation
    }
}

extension InAppPurchasePublicKey: Codable {
    private enum CodingKeys: String, CodingKey { case pem, keyId, issuerId }

    /// Decodes a saved key.
    ///
    /// - Throws: `SigningError` with `key_malformed`, or errors of the decoder.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            pem: try container.decode(String.self, forKey: .pem),
            keyId: try container.decode(String.self, forKey: .keyId),
            issuerId: try container.decode(String.self, forKey: .issuerId)
        )
    }

    /// Encodes the key, which is not secret.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(pem, forKey: .pem)
        try container.encode(keyId, forKey: .keyId)
        try container.encode(issuerId, forKey: .issuerId)
    }
}

extension InAppPurchaseKey {
    /// The public part, for verification only.
    public var publicKey: InAppPurchasePublicKey {
        InAppPurchasePublicKey(self)
    }
}

extension [String: InAppPurchasePublicKey] {
    /// Keys by identifier; of equal identifiers the last one is used.
    init(byIdentifier keys: [InAppPurchasePublicKey]) {
        self.init(keys.map { ($0.keyId, $0) }, uniquingKeysWith: { _, latest in latest })
    }
}
