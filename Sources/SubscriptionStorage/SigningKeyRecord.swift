public import SubscriptionCore

/// A key that signs what the server says of its customers.
public struct SigningKeyRecord: Hashable, Sendable {
    /// The key's name in the header of what it signs (`kid`).
    public var id: String
    /// P-256, 32 bytes; nil once it is retired: then it signs nothing any more.
    public var privateKey: [UInt8]?
    /// P-256, both coordinates of 32 bytes one after the other.
    public var publicKey: [UInt8]
    /// When it was made.
    public var createdAt: Timestamp
    /// When another took its place.
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
    /// How the rows are stored.
    public static let table = TableDescription(
        "signing_keys",
        scope: .database,
        columns: [
            .text("key_id"), .bytes("private_key", optional: true), .bytes("public_key"), .integer("created_at"),
            .integer("retired_at", optional: true),
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
    /// - Throws: ``StorageError`` with `storage_corrupt` where a value is not what was written.
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
    /// The keys that sign what the server says, of all apps, oldest first.
    ///
    /// - Throws: ``StorageError``.
    public func signingKeys() throws(StorageError) -> [SigningKeyRecord] {
        // By identifier; sorting keeps that order among those of one time.
        try rows(of: SigningKeyRecord.self, TableLookup(of: nil)).sorted { $0.createdAt < $1.createdAt }
    }
}

extension TableWriting {
    /// Adds or replaces a key that signs what the server says.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ key: SigningKeyRecord) throws(StorageError) { try save(key, in: nil) }
}
