public import SubscriptionCore

/// How far the purchases that were stored before there were entries have one. One row for each app.
public struct PollingProgress: Hashable, Sendable {
    /// The last purchase with an entry; nil before the first one.
    public var filledThrough: OriginalTransactionID?
    /// Whether every purchase has one.
    public var isFilled: Bool
    /// Whether these entries want histories; before schema step 18 they did not.
    public var wantsHistories: Bool

    /// Makes progress; nothing is filled by default.
    public init(filledThrough: OriginalTransactionID? = nil, isFilled: Bool = false, wantsHistories: Bool = true) {
        self.filledThrough = filledThrough
        self.isFilled = isFilled
        self.wantsHistories = wantsHistories
    }
}

extension PollingProgress: TableRecord {
    /// The table.
    public static let table = TableDescription(
        "polling_progress",
        columns: [
            .text("filled_through", optional: true), .flag("is_filled"),
            .flag("wants_histories", optional: true, step: 18),
        ],
        key: [],
        lock: .row,
        step: 17
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] { [.text(filledThrough?.rawValue), .flag(isFilled), .flag(wantsHistories)] }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            filledThrough: try row.optionalText(0).map { OriginalTransactionID(rawValue: $0) },
            isFilled: try row.flag(1),
            wantsHistories: try row.optionalFlag(2) ?? false
        )
    }
}

extension TableReading {
    /// How far the purchases of an app have entries that want histories.
    ///
    /// - Throws: ``StorageError``.
    public func pollingProgress(of app: AppID) throws(StorageError) -> PollingProgress {
        let stored = try row(of: PollingProgress.self, key: [], in: app) ?? PollingProgress()
        return stored.wantsHistories ? stored : PollingProgress()
    }
}

extension TableWriting {
    /// Replaces how far the purchases of an app have entries.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ progress: PollingProgress, of app: AppID) throws(StorageError) { try save(progress, in: app) }
}
