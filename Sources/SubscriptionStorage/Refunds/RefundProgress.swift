public import SubscriptionCore

/// How far what was stored before there were tables of refunds has its rows in them. One row for each app.
public struct RefundProgress: Hashable, Sendable {
    /// The last purchase whose facts were read; nil before the first one.
    public var purchasesThrough: OriginalTransactionID?
    /// The sequence number of the last event that was read; 0 before the first one.
    public var eventsThrough: Int64
    /// Whether everything was read.
    public var isFilled: Bool

    /// Makes progress; nothing is read by default.
    public init(
        purchasesThrough: OriginalTransactionID? = nil,
        eventsThrough: Int64 = 0,
        isFilled: Bool = false
    ) {
        self.purchasesThrough = purchasesThrough
        self.eventsThrough = eventsThrough
        self.isFilled = isFilled
    }

    /// Everything that is read according to one or the other.
    public func combined(with other: RefundProgress) -> RefundProgress {
        RefundProgress(
            purchasesThrough: [purchasesThrough, other.purchasesThrough].compactMap(\.self).max(),
            eventsThrough: max(eventsThrough, other.eventsThrough),
            isFilled: isFilled || other.isFilled
        )
    }
}

extension RefundProgress: TableRecord {
    /// The table.
    public static let table = TableDescription(
        "refund_progress",
        columns: [.text("purchases_through", optional: true), .integer("events_through"), .flag("is_filled")],
        key: [],
        lock: .row,
        step: 21
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] { [.text(purchasesThrough), .integer(eventsThrough), .flag(isFilled)] }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            purchasesThrough: try row.optionalIdentifier(0),
            eventsThrough: try row.integer(1),
            isFilled: try row.flag(2)
        )
    }
}

extension TableReading {
    /// How far the refunds of an app are filled.
    ///
    /// - Throws: ``StorageError``.
    public func refundProgress(of app: AppID) throws(StorageError) -> RefundProgress {
        try row(of: RefundProgress.self, key: [], in: app) ?? RefundProgress()
    }
}

extension TableWriting {
    /// Replaces how far the refunds of an app are filled.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ progress: RefundProgress, of app: AppID) throws(StorageError) { try save(progress, in: app) }
}
