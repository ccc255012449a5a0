public import SubscriptionCore

/// When a key was last used.
///
/// It is apart from the key, so that noting it does not lock the app.
public struct APIKeyUse: Hashable, Sendable {
    /// The identifier of the key, which is not secret.
    public var keyID: String
    /// When it was last used, in real time, to about a minute.
    public var lastUsedAt: Timestamp

    /// Makes a record.
    public init(keyID: String, lastUsedAt: Timestamp) {
        self.keyID = keyID
        self.lastUsedAt = lastUsedAt
    }
}

extension APIKeyUse: TableRecord {
    /// The table.
    public static let table = TableDescription(
        "api_key_uses",
        scope: .database,
        columns: [.text("key_id"), .integer("last_used_at")],
        key: ["key_id"],
        lock: .none,
        step: 23
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] { [.text(keyID), .time(lastUsedAt)] }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(keyID: try row.text(0), lastUsedAt: try row.time(1))
    }
}

extension TableReading {
    /// When a key was last used; nil if never.
    ///
    /// - Throws: ``StorageError``.
    public func lastUse(ofKey id: String) throws(StorageError) -> Timestamp? {
        try row(of: APIKeyUse.self, key: [.string(id)], in: nil)?.lastUsedAt
    }
}

extension TableWriting {
    /// Adds or replaces the last use of a key.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ use: APIKeyUse) throws(StorageError) { try save(use, in: nil) }

    /// Forgets the use of a key.
    ///
    /// - Throws: ``StorageError``.
    public func removeUse(ofKey id: String) throws(StorageError) {
        try remove(APIKeyUse.self, TableLookup(of: nil, equal: [.string(id)]))
    }
}
