public import SubscriptionCore

/// An audit entry of an operator's change: who, what, when, and the values before and after.
///
/// It is written in the same transaction as the change, so every change has an entry.
public struct AuditEntry: Hashable, Sendable {
    /// The entry.
    public var id: AuditEntryID
    /// When it was done.
    public var occurredAt: Timestamp
    /// The operator: the hint of the request's key, or a command.
    public var actor: String
    /// The action, such as `grant.created`.
    public var action: String
    /// The target, such as `customer:anna`.
    public var target: String
    /// The value before as JSON; nil if there was none.
    public var before: String?
    /// The value after as JSON; nil if there is none.
    public var after: String?
    /// The request identifier, as in the log; nil for a command.
    public var requestID: String?

    /// Makes an entry.
    public init(
        id: AuditEntryID,
        occurredAt: Timestamp,
        actor: String,
        action: String,
        target: String,
        before: String? = nil,
        after: String? = nil,
        requestID: String? = nil
    ) {
        self.id = id
        self.occurredAt = occurredAt
        self.actor = actor
        self.action = action
        self.target = target
        self.before = before
        self.after = after
        self.requestID = requestID
    }
}

/// The identifier of an audit entry.
public struct AuditEntryID: TextIdentifier {
    /// `aud_` and hexadecimal digits.
    public let rawValue: String
    /// Wraps the text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension AuditEntry: TableRecord {
    fileprivate static let byTime = TableIndex("audit_entries_by_time", ["occurred_at", "entry_id"])
    fileprivate static let byTarget = TableIndex("audit_entries_by_target", ["target", "occurred_at", "entry_id"])

    /// The table. Entries are only added, so nothing is locked.
    public static let table = TableDescription(
        "audit_entries",
        columns: [
            .text("entry_id"), .integer("occurred_at"), .text("actor"), .text("action"), .text("target"),
            .text("before", optional: true), .text("after", optional: true), .text("request_id", optional: true),
        ],
        key: ["entry_id"],
        indexes: [byTime, byTarget],
        lock: .none,
        step: 13
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [
            .text(id), .time(occurredAt), .text(actor), .text(action), .text(target), .text(before), .text(after),
            .text(requestID),
        ]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            id: try row.identifier(0),
            occurredAt: try row.time(1),
            actor: try row.text(2),
            action: try row.text(3),
            target: try row.text(4),
            before: try row.optionalText(5),
            after: try row.optionalText(6),
            requestID: try row.optionalText(7)
        )
    }
}

extension TableReading {
    /// An audit entry; nil if there is none.
    ///
    /// - Throws: ``StorageError``.
    public func auditEntry(_ id: AuditEntryID, of app: AppID) throws(StorageError) -> AuditEntry? {
        try row(of: AuditEntry.self, key: [.text(id)], in: app)
    }

    /// An app's audit entries, newest first.
    ///
    /// - Parameters:
    ///   - last: The last entry of the previous page; nil for the first page.
    ///   - target: The target; nil for all.
    /// - Throws: ``StorageError``.
    public func auditEntries(
        of app: AppID,
        about target: String? = nil,
        before last: AuditEntry? = nil,
        limit: Int
    ) throws(StorageError) -> [AuditEntry] {
        let lookup = TableLookup(
            of: app,
            by: target == nil ? AuditEntry.byTime : AuditEntry.byTarget,
            equal: target.map { [.string($0)] } ?? [],
            after: last.map { [.time($0.occurredAt), .text($0.id)] } ?? [],
            order: .descending,
            limit: limit
        )
        return try rows(of: AuditEntry.self, lookup)
    }
}

extension TableWriting {
    /// Adds an audit entry.
    ///
    /// - Throws: ``StorageError``.
    public func insert(_ entry: AuditEntry, of app: AppID) throws(StorageError) {
        try insert(once: entry, in: app)
    }
}
