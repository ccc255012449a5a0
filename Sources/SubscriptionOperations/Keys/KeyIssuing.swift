import Crypto
import PerennialPrimitives
public import SubscriptionCore
public import SubscriptionStorage

/// Makes and parses the server's own API keys. Only digests are stored, so a lost key cannot be recovered.
public enum KeyIssuing {
    /// The number of random bytes in a key.
    private static let randomByteCount = 24

    /// A new random key's text, such as `sk_8f…`.
    public static func makeKey(_ kind: APIKeyRecord.Kind) -> String { makeKey(prefix: kind.rawValue) }

    /// A new random key's text with the beginning of its kind.
    static func makeKey(prefix: String) -> String { "\(prefix)_\(makeText())" }

    /// A new random text: the part of a key after its prefix.
    static func makeText() -> String { RandomSecret.bytes(randomByteCount).hexadecimal }

    /// A new key and its record.
    static func make(
        _ draft: APIKeys.Draft,
        app: AppID,
        createdAt: Timestamp,
        text: String = makeText()
    ) -> (text: String, record: APIKeyRecord) {
        let key = "\(draft.kind.rawValue)_\(text)"
        let record = APIKeyRecord(
            digest: digest(key),
            appID: app,
            kind: draft.kind,
            hint: String(key.suffix(4)),
            createdAt: createdAt,
            label: draft.label,
            scope: draft.scope,
            expiresAt: draft.expiresAt
        )
        return (key, record)
    }

    /// SHA-256 of a key's text. Keys are random and long, so a plain digest is enough.
    public static func digest(_ key: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(key.utf8)))
    }

    fileprivate static func publicID(ofDigest digest: [UInt8]) -> String {
        "key_" + SHA256.hash(data: digest).prefix(12).hexadecimal
    }

    /// The record to store for a key.
    ///
    /// - Returns: nil if the text is not a key: `sk_` or `pk_`, then at least 16 characters.
    public static func record(of key: String, app: AppID, createdAt: Timestamp, label: String? = nil) -> APIKeyRecord? {
        guard
            let kind = APIKeyRecord.Kind(rawValue: String(key.prefix(2))),
            key.dropFirst(2).first == "_", key.utf8.count >= 19
        else { return nil }
        return APIKeyRecord(
            digest: digest(key),
            appID: app,
            kind: kind,
            hint: String(key.suffix(4)),
            createdAt: createdAt,
            label: label
        )
    }
}

extension APIKeyRecord {
    /// The identifier of the key, which is not secret: the key cannot be found from it.
    public var publicID: String { KeyIssuing.publicID(ofDigest: digest) }

    /// Whether a text names this key: its identifier, its text as listed, its last characters, or the whole key.
    func isNamed(_ text: String) -> Bool {
        text == publicID || text == shownText || text == hint || KeyIssuing.digest(text) == digest
    }
}

extension OperatorKey {
    /// The identifier of the key or session, which is not secret: the key cannot be found from it.
    public var publicID: String { KeyIssuing.publicID(ofDigest: digest) }

    /// Whether a text names this key: its identifier, its text as listed, its last characters, or the whole key.
    func isNamed(_ text: String) -> Bool {
        text == publicID || text == shownText || text == hint || KeyIssuing.digest(text) == digest
    }
}
