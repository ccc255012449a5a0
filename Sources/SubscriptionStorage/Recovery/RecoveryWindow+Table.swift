public import SubscriptionCore

extension RecoveryWindow: TableRecord {
    fileprivate static let byTime = TableIndex("recovery_windows_by_time", ["created_at", "window_id"])
    fileprivate static let open = TableIndex(
        "recovery_windows_open",
        ["open_since", "window_id"],
        omitsNullsOf: "open_since"
    )

    /// The table.
    public static let table = TableDescription(
        "recovery_windows",
        columns: [
            .text("window_id"), .integer("created_at"), .integer("from_at"), .integer("to_at"), .flag("only_failures"),
            .text("reason"), .text("state"), .integer("open_since", optional: true), .text("page", optional: true),
            .integer("sent"), .integer("held"), .integer("recovered"), .integer("retrying"), .integer("refused"),
            .integer("missing"), .text("problems"), .integer("recovered_before"), .integer("restarts"),
            .integer("failures"), .integer("retry_at", optional: true), .text("failure_code", optional: true),
            .text("failure_message", optional: true), .integer("finished_at", optional: true),
        ],
        key: ["window_id"],
        indexes: [byTime, open],
        lock: .row,
        step: 16
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [
            .text(id), .time(createdAt), .time(from), .time(to), .flag(onlyFailures), .text(reason), .text(state),
            .time(state == .running ? createdAt : nil), .text(page), .integer(counts.sent), .integer(counts.held),
            .integer(counts.recovered), .integer(counts.retrying), .integer(counts.refused), .integer(counts.missing),
            .text(problems.countsText), .integer(recoveredBefore), .integer(restarts), .integer(failures),
            .time(retryAt), .text(failure?.code), .text(failure?.message), .time(finishedAt),
        ]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            id: try row.identifier(0),
            createdAt: try row.time(1),
            from: try row.time(2),
            to: try row.time(3),
            onlyFailures: try row.flag(4),
            reason: try row.choice(5)
        )
        state = try row.choice(6)
        page = try row.optionalText(8)
        counts.sent = try row.count(9)
        counts.held = try row.count(10)
        counts.recovered = try row.count(11)
        counts.retrying = try row.count(12)
        counts.refused = try row.count(13)
        counts.missing = try row.count(14)
        problems = try Dictionary(countsText: try row.text(15))
        recoveredBefore = try row.count(16)
        restarts = try row.count(17)
        failures = try row.count(18)
        retryAt = try row.optionalTime(19)
        failure = try row.optionalFailure(20)
        finishedAt = try row.optionalTime(22)
    }
}

extension TableReading {
    /// A recovery window; nil if there is none.
    ///
    /// - Throws: ``StorageError``.
    public func recoveryWindow(_ id: RecoveryWindowID, of app: AppID) throws(StorageError) -> RecoveryWindow? {
        try row(of: RecoveryWindow.self, key: [.text(id)], in: app)
    }

    /// An app's recovery windows, newest first.
    ///
    /// - Parameter last: The last window of the previous page; nil for the first page.
    /// - Throws: ``StorageError``.
    public func recoveryWindows(
        of app: AppID,
        before last: RecoveryWindow? = nil,
        limit: Int
    ) throws(StorageError) -> [RecoveryWindow] {
        let lookup = TableLookup(
            of: app,
            by: RecoveryWindow.byTime,
            after: last.map { [.time($0.createdAt), .text($0.id)] } ?? [],
            order: .descending,
            limit: limit
        )
        return try rows(of: RecoveryWindow.self, lookup)
    }

    /// The running recovery windows of an app, oldest first.
    ///
    /// - Throws: ``StorageError``.
    public func openRecoveryWindows(of app: AppID, limit: Int) throws(StorageError) -> [RecoveryWindow] {
        try rows(of: RecoveryWindow.self, TableLookup(of: app, by: RecoveryWindow.open, limit: limit))
    }
}

extension TableWriting {
    /// Adds or replaces a recovery window.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ window: RecoveryWindow, of app: AppID) throws(StorageError) { try save(window, in: app) }

    /// Removes the oldest recovery windows that were made before a time, at most `limit`.
    ///
    /// - Throws: ``StorageError``.
    public func removeRecoveryWindows(before time: Timestamp, limit: Int, of app: AppID) throws(StorageError) {
        let last = ColumnValue.time(time.adding(milliseconds: -1))
        try remove(RecoveryWindow.self, TableLookup(of: app, by: RecoveryWindow.byTime, through: last, limit: limit))
    }
}
