import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An In-App Purchase key from App Store Connect, which signs the bearer tokens of calls to the App Store Server API.
///
/// - Source: App Store Connect, Users and Access, Integrations, In-App Purchase; the file is `SubscriptionKey_*.p8`.
public struct InAppPurchaseKey: Sendable {
    /// The key's identifier, sent as `kid`.
    public let keyId: String

    /// The team's issuer identifier, sent as `iss`.
    public let issuerId: String

    let privateKey: P256.Signing.PrivateKey

    /// Parses a private key.
    ///
    /// - Parameters:
    ///   - pem: PKCS#8 in PEM, as downloaded from App Store Connect.
    ///   - keyId: The key's identifier.
    ///   - issuerId: The issuer's identifier.
    /// - Throws: `key_malformed` if the text is not a P-256 private key.
    public init(pem: String, keyId: String, issuerId: String) throws(SigningError) {
        do {
            self.privateKey = try P256.Signing.PrivateKey(pemRepresentation: pem)
        } catch {
            throw SigningError(
                code: .keyMalformed,
                message: "Not a P-256 private key in PEM; use the .p8 file of an In-App Purchase key."
            )
        }
        self.keyId = keyId
        self.issuerId = issuerId
    }

    private init(privateKey: P256.Signing.PrivateKey, keyId: String, issuerId: String) {
        self.privateKey = privateKey
        self.keyId = keyId
        self.issuerId = issuerId
    }

    /// Makes a new key.
    ///
    /// - Parameters:
    ///   - keyId: Its identifier; the default is ten characters derived from the public key.
    ///   - issuerId: Its issuer; the default is a UUID derived from the public key.
    public static func generate(keyId: String? = nil, issuerId: String? = nil) -> InAppPurchaseKey {
        let privateKey = P256.Signing.PrivateKey()
        let digest = Array(SHA256.hash(data: privateKey.publicKey.rawRepresentation))
        return InAppPurchaseKey(
            privateKey: privateKey,
            keyId: keyId ?? derivedKeyId(digest),
            issuerId: issuerId ?? derivedIssuerId(digest)
        )
    }

    /// The private key in PKCS#8 PEM. It is a secret: write it only to a key file, never to a log.
    public var pem: String {
        privateKey.pemRepresentation
    }

    private static func derivedKeyId(_ digest: [UInt8]) -> String {
        let characters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)
        return String(decoding: digest.prefix(10).map { characters[Int($0 & 31)] }, as: UTF8.self)
    }

    private static func derivedIssuerId(_ digest: [UInt8]) -> String {
        let bytes = Array(digest.suffix(16))
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6] & 0x0F | 0x80, bytes[7],
                bytes[8] & 0x3F | 0x80, bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            )
        ).uuidString.lowercased()
    }
}
