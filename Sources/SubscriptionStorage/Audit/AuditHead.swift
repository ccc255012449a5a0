public import SubscriptionCore

/// The last entry of an app's chain of audit entries.
public struct AuditHead: Hashable, Sendable {
    /// The position of the last entry.
    public var sequence: Int64
    /// Its digest.
    public var digest: [UInt8]

    /// Makes a head.
    public init(sequence: Int64, digest: [UInt8]) {
        self.sequence = sequence
        self.digest = digest
    }
}

extension AuditHead: TableRecord {
    private static let name = ColumnValue.string("audit")

    /// The table, with one row per app. A write locks the row until its commit, so that the chain has no branches.
    public static let table = TableDescription(
        "audit_heads",
        columns: [.text("chain"), .integer("sequence"), .bytes("digest")],
        key: ["chain"],
        lock: .row,
        step: 23
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] { [Self.name, .integer(sequence), .bytes(digest)] }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(sequence: try row.integer(1), digest: try row.bytes(2))
    }

    fileprivate static var key: [ColumnValue] { [name] }
}

extension TableReading {
    /// The last entry of an app's chain; nil if it has none.
    ///
    /// - Throws: ``StorageError``.
    public func auditHead(of app: AppID) throws(StorageError) -> AuditHead? {
        try row(of: AuditHead.self, key: AuditHead.key, in: app)
    }
}

extension TableWriting {
    /// Replaces the last entry of an app's chain.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ head: AuditHead, of app: AppID) throws(StorageError) { try save(head, in: app) }
}
