import AppStoreSigning
import HTTPTypes

/// The developer's In-App Purchase keys, as in App Store Connect: any number are active at the same time.
struct ClientKeys: Sendable, Codable {
    /// The maximum number of keys that are active at the same time.
    static let activeMax = 50

    /// One key.
    struct Entry: Sendable, Codable {
        private enum CodingKeys: String, CodingKey { case key, issuedAt, revokedAt }

        let key: InAppPurchaseKey
        /// When it was issued, milliseconds since 1970 by the store's clock.
        let issuedAt: Int64
        /// When it was revoked; `nil` while it is active.
        fileprivate(set) var revokedAt: Int64?

        fileprivate init(_ key: InAppPurchaseKey, issuedAt: Int64) {
            self.key = key
            self.issuedAt = issuedAt
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            key = try container.decode(SavedClientKey.self, forKey: .key).key()
            issuedAt = try container.decode(Int64.self, forKey: .issuedAt)
            revokedAt = try container.decodeIfPresent(Int64.self, forKey: .revokedAt)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(SavedClientKey(key), forKey: .key)
            try container.encode(issuedAt, forKey: .issuedAt)
            try container.encodeIfPresent(revokedAt, forKey: .revokedAt)
        }
    }

    /// All keys, oldest first.
    private(set) var entries: [Entry]

    /// The keys of a new store: one.
    init(_ key: InAppPurchaseKey, at now: Int64) { entries = [Entry(key, issuedAt: now)] }

    /// The active keys, oldest first; never empty.
    var active: [InAppPurchaseKey] { entries.filter { $0.revokedAt == nil }.map(\.key) }

    /// Whether there is only the key of a new store.
    var isInitial: Bool { entries.count == 1 }

    /// Issues a key.
    ///
    /// - Parameter issuerId: The issuer of another team; `nil` for the team of the newest active key.
    /// - Throws: `too_many_keys`, `issuer_invalid`.
    mutating func issue(issuerId: String?, at now: Int64) throws(StoreCallError) -> Entry {
        guard active.count < Self.activeMax else {
            throw StoreCallError(
                .conflict,
                code: "too_many_keys",
                message: "\(Self.activeMax) keys are active: revoke one with DELETE"
            )
        }
        if let issuerId, !Self.isIssuer(issuerId) {
            throw StoreCallError(
                .badRequest,
                code: "issuer_invalid",
                message: "issuerId is not a UUID, such as 57246542-96fe-1a63-e053-0824d011072a"
            )
        }
        let issuer = issuerId ?? active.last?.issuerId
        let entry = Entry(.generate(issuerId: issuer), issuedAt: now)
        entries.append(entry)
        return entry
    }

    /// Revokes a key; calls with its tokens are refused from now on. A revoked key stays revoked.
    ///
    /// - Throws: `key_not_found`, `last_key`.
    mutating func revoke(_ keyId: String, at now: Int64) throws(StoreCallError) -> Entry {
        guard let index = entries.firstIndex(where: { $0.key.keyId == keyId }) else {
            throw StoreCallError(
                .notFound,
                code: "key_not_found",
                message: "no key has this identifier: GET /_store/keys lists them"
            )
        }
        if entries[index].revokedAt == nil {
            guard active.count > 1 else {
                throw StoreCallError(
                    .conflict,
                    code: "last_key",
                    message: "this is the only active key: issue another one first with POST /_store/keys, or start a "
                        + "store that refuses every token with --profile never-released-app"
                )
            }
            entries[index].revokedAt = now
        }
        return entries[index]
    }

    private static func isIssuer(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.joined().utf8.allSatisfy(Self.isHexadecimal)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool { Character(Unicode.Scalar(byte)).isHexDigit }
}
