public import SubscriptionCore

/// When to look whether Apple has to be asked about a subscription.
///
/// Every subscription that may need it has an entry at or before the time when Apple has to be asked. An entry may be
/// early or repeated: the time is derived from the facts when it is due.
public struct StatusPoll: Hashable, Sendable {
    /// When to look.
    public var dueAt: Timestamp
    /// The subscription.
    public var purchaseID: OriginalTransactionID
    /// The number of failed queries in a row.
    public var failures: Int
    /// Whether Apple has to be asked for the transaction history too, if transactions seem to be missing still.
    public var wantsHistory: Bool
    /// Whether the history causes no events, because the purchase was submitted without any.
    public var omitsEvents: Bool

    /// Makes an entry.
    public init(
        dueAt: Timestamp,
        purchaseID: OriginalTransactionID,
        failures: Int = 0,
        wantsHistory: Bool = false,
        omitsEvents: Bool = false
    ) {
        self.dueAt = dueAt
        self.purchaseID = purchaseID
        self.failures = failures
        self.wantsHistory = wantsHistory
        self.omitsEvents = omitsEvents
    }
}

extension StatusPoll: TableRecord {
    /// The table. Its rows lie in the order in which they are due.
    public static let table = TableDescription(
        "status_polls",
        columns: [
            .integer("due_at"), .text("purchase_id"), .integer("failures"),
            .flag("wants_history", optional: true, step: 18), .flag("omits_events", optional: true, step: 18),
        ],
        key: ["due_at", "purchase_id"],
        lock: .none,
        step: 17
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [.time(dueAt), .text(purchaseID), .integer(failures), .flag(wantsHistory), .flag(omitsEvents)]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            dueAt: try row.time(0),
            purchaseID: try row.identifier(1),
            failures: try row.count(2),
            wantsHistory: try row.optionalFlag(3) ?? false,
            omitsEvents: try row.optionalFlag(4) ?? false
        )
    }
}

extension TableReading {
    /// The entries that are due at or before a time, oldest first.
    ///
    /// - Throws: ``StorageError``.
    public func statusPolls(of app: AppID, until now: Timestamp, limit: Int) throws(StorageError) -> [StatusPoll] {
        try rows(of: StatusPoll.self, TableLookup(of: app, through: .time(now), limit: limit))
    }
}

extension TableWriting {
    /// Adds an entry.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ poll: StatusPoll, of app: AppID) throws(StorageError) { try save(poll, in: app) }

    /// Removes an entry.
    ///
    /// - Throws: ``StorageError``.
    public func remove(_ poll: StatusPoll, of app: AppID) throws(StorageError) {
        try remove(StatusPoll.self, TableLookup(of: app, equal: [.time(poll.dueAt), .text(poll.purchaseID)]))
    }
}
