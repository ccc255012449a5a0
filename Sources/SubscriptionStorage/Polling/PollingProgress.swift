public import SubscriptionCore

/// How far the purchases that were stored before there were entries have one. One row for each app.
public struct PollingProgress: Hashable, Sendable {
    /// The last purchase with an entry; nil before the first one.
    public var filledThrough: OriginalTransactionID?
    /// Whether every purchase has one.
    public var isFilled: Bool

    /// Makes progress; nothing is filled by default.
    public init(filledThrough: OriginalTransactionID? = nil, isFilled: Bool = false) {
        self.filledThrough = filledThrough
        self.isFilled = isFilled
    }
}

extension PollingProgress: TableRecord {
    /// The table.
    public static let table = TableDescription(
        "polling_progress",
        columns: [.text("filled_through", optional: true), .flag("is_filled")],
        key: [],
        lock: .row,
        step: 17
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] { [.text(filledThrough?.rawValue), .flag(isFilled)] }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            filledThrough: try row.optionalText(0).map { OriginalTransactionID(rawValue: $0) },
            isFilled: try row.flag(1)
        )
    }
}

extension TableReading {
    /// How far the purchases of an app have entries.
    ///
    /// - Throws: ``StorageError``.
    public func pollingProgress(of app: AppID) throws(StorageError) -> PollingProgress {
        try row(of: PollingProgress.self, key: [], in: app) ?? PollingProgress()
    }
}

extension TableWriting {
    /// Replaces how far the purchases of an app have entries.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ progress: PollingProgress, of app: AppID) throws(StorageError) { try save(progress, in: app) }
}
