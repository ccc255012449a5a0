public import SubscriptionCore

/// A key that signs entitlement tokens.
public struct SigningKeyRecord: Hashable, Sendable {
    /// The key identifier in the token header (`kid`).
    public var id: String
    /// P-256, 32 bytes; nil once it is retired.
    public var privateKey: [UInt8]?
    /// P-256, both coordinates of 32 bytes each.
    public var publicKey: [UInt8]
    /// When it was made.
    public var createdAt: Timestamp
    /// When another key replaced it.
    public var retiredAt: Timestamp?

    /// Makes a record.
    public init(
        id: String,
        privateKey: [UInt8]?,
        publicKey: [UInt8],
        createdAt: Timestamp,
        retiredAt: Timestamp? = nil
    ) {
        self.id = id
        self.privateKey = privateKey
        self.publicKey = publicKey
        self.createdAt = createdAt
        self.retiredAt = retiredAt
    }
}

extension SigningKeyRecord: TableRecord {
    /// The table.
    public static let table = TableDescription(
        "signing_keys",
        scope: .database,
        columns: [
            .text("key_id"), .bytes("private_key", optional: true, secret: true), .bytes("public_key"),
            .integer("created_at"), .integer("retired_at", optional: true),
        ],
        key: ["key_id"],
        lock: .none,
        step: 2
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [.text(id), .bytes(privateKey), .bytes(publicKey), .time(createdAt), .time(retiredAt)]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            id: try row.text(0),
            privateKey: try row.optionalBytes(1),
            publicKey: try row.bytes(2),
            createdAt: try row.time(3),
            retiredAt: try row.optionalTime(4)
        )
    }
}

extension TableReading {
    /// The signing keys of all apps, oldest first.
    ///
    /// - Throws: ``StorageError``.
    public func signingKeys() throws(StorageError) -> [SigningKeyRecord] {
        // The rows are in order of identifier. The sort is stable, so keys with the same time keep that order.
        try rows(of: SigningKeyRecord.self, TableLookup(of: nil)).sorted { $0.createdAt < $1.createdAt }
    }
}

extension TableWriting {
    /// Adds or replaces a signing key.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ key: SigningKeyRecord) throws(StorageError) { try save(key, in: nil) }
}
