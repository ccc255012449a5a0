public import SubscriptionCore

/// The right of one server of many to do an app's work of one kind, until a time in real time.
public struct Lease: Hashable, Sendable {
    /// The kind of work, such as `recovery`.
    public var work: String
    /// The server, by a random name.
    public var holder: String
    /// When another server may take it over.
    public var expiresAt: Timestamp

    /// Makes a lease.
    public init(work: String, holder: String, expiresAt: Timestamp) {
        self.work = work
        self.holder = holder
        self.expiresAt = expiresAt
    }
}

extension Lease: TableRecord {
    /// The table.
    public static let table = TableDescription(
        "leases",
        columns: [.text("work"), .text("holder"), .integer("expires_at")],
        key: ["work"],
        lock: .row,
        step: 16
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] { [.text(work), .text(holder), .time(expiresAt)] }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(work: try row.text(0), holder: try row.text(1), expiresAt: try row.time(2))
    }
}

extension TableReading {
    /// The lease of a kind of work; nil if there is none.
    ///
    /// - Throws: ``StorageError``.
    public func lease(of work: String, app: AppID) throws(StorageError) -> Lease? {
        try row(of: Lease.self, key: [.string(work)], in: app)
    }
}

extension TableWriting {
    /// Takes or renews a lease, unless another server holds it.
    ///
    /// - Parameters:
    ///   - now: Real time.
    ///   - milliseconds: How long it is valid.
    /// - Returns: Whether the holder has it.
    /// - Throws: ``StorageError``.
    public func takeLease(
        of work: String,
        for holder: String,
        at now: Timestamp,
        milliseconds: Int64,
        app: AppID
    ) throws(StorageError) -> Bool {
        let current = try lease(of: work, app: app)
        if let current, current.holder != holder, current.expiresAt > now { return false }
        let expiry = now.adding(milliseconds: milliseconds)
        try save(Lease(work: work, holder: holder, expiresAt: expiry), in: app)
        return true
    }

    /// Returns a lease, so that another server need not wait until it expires.
    ///
    /// - Throws: ``StorageError``.
    public func returnLease(of work: String, by holder: String, app: AppID) throws(StorageError) {
        guard try lease(of: work, app: app)?.holder == holder else { return }
        try remove(Lease.self, TableLookup(of: app, equal: [.string(work)]))
    }
}
