public import SubscriptionCore

/// An audit entry of an operator's change: who, what, when, and the values before and after.
///
/// It is written in the same transaction as the change, so every change has an entry. Each entry has a link to the one
/// before it, so that a changed or missing entry is found.
public struct AuditEntry: Hashable, Sendable {
    /// The entry.
    public var id: AuditEntryID
    /// When it was done.
    public var occurredAt: Timestamp
    /// Who did it: a key with its hint, a person with name and role, or a command.
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
    /// The entry's position in the app's chain; nil for an entry from before the chain.
    public var link: AuditLink?

    /// Makes an entry.
    public init(
        id: AuditEntryID,
        occurredAt: Timestamp,
        actor: String,
        action: String,
        target: String,
        before: String? = nil,
        after: String? = nil,
        requestID: String? = nil,
        link: AuditLink? = nil
    ) {
        self.id = id
        self.occurredAt = occurredAt
        self.actor = actor
        self.action = action
        self.target = target
        self.before = before
        self.after = after
        self.requestID = requestID
        self.link = link
    }
}

/// The position of an entry in an app's chain. All digests are SHA-256.
public struct AuditLink: Hashable, Sendable {
    /// The position, from 1 and without gaps.
    public var sequence: Int64
    /// The digest of the entry before; zeros for the first.
    public var previous: [UInt8]
    /// Random bytes in the digest of the content, so that erased content cannot be guessed; nil once it was erased.
    public var salt: [UInt8]?
    /// The digest of the target and the values. It stays when they are erased.
    public var content: [UInt8]
    /// The digest of the entry and of the one before.
    public var digest: [UInt8]

    /// Makes a link.
    public init(sequence: Int64, previous: [UInt8], salt: [UInt8]?, content: [UInt8], digest: [UInt8]) {
        self.sequence = sequence
        self.previous = previous
        self.salt = salt
        self.content = content
        self.digest = digest
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
    fileprivate static let bySequence = TableIndex(
        "audit_entries_by_sequence",
        ["sequence", "entry_id"],
        omitsNullsOf: "sequence",
        step: 23
    )
    fileprivate static let byTarget = TableIndex("audit_entries_by_target", ["target", "occurred_at", "entry_id"])

    /// The table. Entries are only added, after the lock of ``AuditHead``, so nothing is locked.
    public static let table = TableDescription(
        "audit_entries",
        columns: [
            .text("entry_id"), .integer("occurred_at"), .text("actor"), .text("action"), .text("target"),
            .text("before", optional: true), .text("after", optional: true), .text("request_id", optional: true),
            .integer("sequence", optional: true, step: 23), .bytes("previous_digest", optional: true, step: 23),
            .bytes("salt", optional: true, step: 23), .bytes("content_digest", optional: true, step: 23),
            .bytes("digest", optional: true, step: 23),
        ],
        key: ["entry_id"],
        indexes: [byTime, byTarget, bySequence],
        lock: .none,
        step: 13
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [
            .text(id), .time(occurredAt), .text(actor), .text(action), .text(target), .text(before), .text(after),
            .text(requestID), .integer(link?.sequence), .bytes(link?.previous), .bytes(link?.salt),
            .bytes(link?.content), .bytes(link?.digest),
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
            requestID: try row.optionalText(7),
            link: try AuditLink(row: row)
        )
    }
}

extension AuditLink {
    fileprivate init?(row: some ColumnReading) throws(StorageError) {
        guard let sequence = try row.optionalInteger(8) else { return nil }
        self.init(
            sequence: sequence,
            previous: try row.bytes(9),
            salt: try row.optionalBytes(10),
            content: try row.bytes(11),
            digest: try row.bytes(12)
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

    /// The entries of an app's chain, in its order.
    ///
    /// - Parameter sequence: Only entries after this one; 0 for all.
    /// - Throws: ``StorageError``.
    public func auditChain(of app: AppID, after sequence: Int64, limit: Int) throws(StorageError) -> [AuditEntry] {
        guard sequence < .max else { return [] }
        let lookup = TableLookup(
            of: app,
            by: AuditEntry.bySequence,
            // Before any entry with the next position.
            after: [.number(sequence + 1), .string("")],
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
