public import SubscriptionCore

/// A bearer key of a person who operates the server. Only its digest is stored.
public struct OperatorKey: Hashable, Sendable {
    /// How the key came to be.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Made by a command, for scripts.
        case key
        /// Made by a sign-in. It always expires.
        case session

        /// The beginning of the key's text.
        public var prefix: String {
            switch self {
            case .key: "ok"
            case .session: "os"
            }
        }
    }

    /// SHA-256 of the key's text.
    public var digest: [UInt8]
    /// The person.
    public var operatorID: OperatorID
    /// How it came to be.
    public var kind: Kind
    /// The last characters of the key, for people.
    public var hint: String
    /// A description by the person who made it.
    public var label: String?
    /// When it was made, in real time.
    public var createdAt: Timestamp
    /// When it stops being accepted, in real time; nil for never.
    public var expiresAt: Timestamp?

    /// The key as shown to people, such as `ok_…3f9a`; the rest of it is not stored.
    public var shownText: String { "\(kind.prefix)_…\(hint)" }

    /// Makes a record.
    public init(
        digest: [UInt8],
        operatorID: OperatorID,
        kind: Kind,
        hint: String,
        label: String? = nil,
        createdAt: Timestamp,
        expiresAt: Timestamp? = nil
    ) {
        self.digest = digest
        self.operatorID = operatorID
        self.kind = kind
        self.hint = hint
        self.label = label
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// Whether it is no longer accepted.
    ///
    /// - Parameter now: Real time.
    public func isExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }
}

extension OperatorKey: TableRecord {
    fileprivate static let byDigest = TableIndex("operator_keys_by_digest", ["digest"], unique: true)

    /// The table. Every write locks the operator's row first.
    public static let table = TableDescription(
        "operator_keys",
        scope: .database,
        columns: [
            .text("operator_id"), .bytes("digest", secret: true), .text("kind"), .text("hint"),
            .text("label", optional: true), .integer("created_at"), .integer("expires_at", optional: true),
        ],
        key: ["operator_id", "digest"],
        indexes: [byDigest],
        lock: .none,
        step: 23
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [
            .text(operatorID), .bytes(digest), .text(kind), .text(hint), .text(label), .time(createdAt),
            .time(expiresAt),
        ]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            digest: try row.bytes(1),
            operatorID: try row.identifier(0),
            kind: try row.choice(2),
            hint: try row.text(3),
            label: try row.optionalText(4),
            createdAt: try row.time(5),
            expiresAt: try row.optionalTime(6)
        )
    }
}

extension TableReading {
    /// The key or session with this digest.
    ///
    /// - Throws: ``StorageError``.
    public func operatorKey(digest: [UInt8]) throws(StorageError) -> OperatorKey? {
        let lookup = TableLookup(of: nil, by: OperatorKey.byDigest, equal: [.bytes(digest)])
        return try rows(of: OperatorKey.self, lookup).first
    }

    /// The keys and sessions of an operator, oldest first.
    ///
    /// - Throws: ``StorageError``.
    public func operatorKeys(of id: OperatorID) throws(StorageError) -> [OperatorKey] {
        // The rows are in order of digest. The sort is stable, so keys with the same time keep that order.
        try rows(of: OperatorKey.self, TableLookup(of: nil, equal: [.text(id)])).sorted { $0.createdAt < $1.createdAt }
    }
}

extension TableWriting {
    /// Adds a key or session.
    ///
    /// - Throws: ``StorageError``.
    public func insert(_ key: OperatorKey) throws(StorageError) { try insert(once: key, in: nil) }

    /// Removes a key or session.
    ///
    /// - Throws: ``StorageError``.
    public func remove(_ key: OperatorKey) throws(StorageError) {
        try remove(OperatorKey.self, TableLookup(of: nil, equal: [.text(key.operatorID), .bytes(key.digest)]))
    }
}
