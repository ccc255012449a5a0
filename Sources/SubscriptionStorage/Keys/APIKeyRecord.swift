public import SubscriptionCore

/// A bearer key of the server's own API. Only its digest is stored.
public struct APIKeyRecord: Hashable, Sendable {
    /// The permissions of the key.
    public enum Kind: String, Hashable, Sendable {
        /// For apps: their own transactions and customer.
        case publishable = "pk"
        /// For servers: everything of the app.
        case secret = "sk"
    }

    /// SHA-256 of the key's text.
    public var digest: [UInt8]
    /// The app it belongs to.
    public var appID: AppID
    /// The permissions of the key.
    public var kind: Kind
    /// The last characters of the key, for people.
    public var hint: String
    /// When it was made.
    public var createdAt: Timestamp
    /// A description by the person who made it.
    public var label: String?
    /// What a secret key may do. A publishable key has no use for it.
    public var scope: KeyScope
    /// When it stops being accepted, in real time; nil for never.
    public var expiresAt: Timestamp?
    /// When another key replaced it, in real time; nil if none did.
    public var replacedAt: Timestamp?

    /// The key as shown to people, such as `sk_…3f9a`; the rest of it is not stored.
    public var shownText: String { "\(kind.rawValue)_…\(hint)" }

    /// Makes a record.
    public init(
        digest: [UInt8],
        appID: AppID,
        kind: Kind,
        hint: String,
        createdAt: Timestamp,
        label: String? = nil,
        scope: KeyScope = .admin,
        expiresAt: Timestamp? = nil,
        replacedAt: Timestamp? = nil
    ) {
        self.digest = digest
        self.appID = appID
        self.kind = kind
        self.hint = hint
        self.createdAt = createdAt
        self.label = label
        self.scope = scope
        self.expiresAt = expiresAt
        self.replacedAt = replacedAt
    }
}

extension APIKeyRecord: TableRecord {
    fileprivate static let byDigest = TableIndex("api_keys_by_digest", ["digest"], unique: true)

    /// A key is looked up by its digest alone, so the app is an ordinary column.
    public static let table = TableDescription(
        "api_keys",
        scope: .database,
        columns: [
            .text("app_id"), .bytes("digest", secret: true), .text("kind"), .text("hint"), .integer("created_at"),
            .text("label", optional: true, step: 4), .text("scope", optional: true, step: 23),
            .integer("expires_at", optional: true, step: 23), .integer("replaced_at", optional: true, step: 23),
        ],
        key: ["app_id", "digest"],
        indexes: [byDigest],
        lock: .appAlone,
        step: 1
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [
            .text(appID), .bytes(digest), .text(kind), .text(hint), .time(createdAt), .text(label), .text(scope),
            .time(expiresAt), .time(replacedAt),
        ]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            digest: try row.bytes(1),
            appID: try row.identifier(0),
            kind: try row.choice(2),
            hint: try row.text(3),
            createdAt: try row.time(4),
            label: try row.optionalText(5),
            // Keys from before the scopes may do everything.
            scope: try row.optionalChoice(6) ?? .admin,
            expiresAt: try row.optionalTime(7),
            replacedAt: try row.optionalTime(8)
        )
    }
}

extension TableReading {
    /// The key with this digest.
    ///
    /// - Throws: ``StorageError``.
    public func apiKey(digest: [UInt8]) throws(StorageError) -> APIKeyRecord? {
        let lookup = TableLookup(of: nil, by: APIKeyRecord.byDigest, equal: [.bytes(digest)])
        return try rows(of: APIKeyRecord.self, lookup).first
    }

    /// All keys of an app, oldest first.
    ///
    /// - Throws: ``StorageError``.
    public func apiKeys(of app: AppID) throws(StorageError) -> [APIKeyRecord] {
        // The rows are in order of digest. The sort is stable, so keys with the same time keep that order.
        try rows(of: APIKeyRecord.self, TableLookup(of: nil, equal: [.text(app)])).sorted {
            $0.createdAt < $1.createdAt
        }
    }
}

extension TableWriting {
    /// Adds a key; an existing one with the same digest is not changed.
    ///
    /// - Throws: ``StorageError``.
    public func insert(_ key: APIKeyRecord) throws(StorageError) { try insert(once: key, in: nil) }

    /// Replaces a key.
    ///
    /// - Throws: ``StorageError``.
    public func replace(_ key: APIKeyRecord) throws(StorageError) { try save(key, in: nil) }

    /// Removes a key; does nothing if the app has none with that digest.
    ///
    /// - Throws: ``StorageError``.
    public func removeAPIKey(digest: [UInt8], of app: AppID) throws(StorageError) {
        try remove(APIKeyRecord.self, TableLookup(of: nil, equal: [.text(app), .bytes(digest)]))
    }
}
