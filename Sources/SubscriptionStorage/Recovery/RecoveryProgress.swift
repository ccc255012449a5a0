public import SubscriptionCore

/// How far an app's notifications have been compared with Apple's history. One row for each app.
public struct RecoveryProgress: Hashable, Sendable {
    /// Until when Apple was asked for failed deliveries; nil if it never was.
    public var sweptUntil: Timestamp?
    /// Until when the whole history was compared; nil if it never was.
    public var comparedUntil: Timestamp?
    /// When notifications became unusually quiet; nil if they are not.
    public var quietSince: Timestamp?
    /// The start of the time in which notifications could not be stored; nil if none are missing.
    public var missingFrom: Timestamp?
    /// The end of that time.
    public var missingUntil: Timestamp?

    /// Makes progress; nothing was compared by default.
    public init(
        sweptUntil: Timestamp? = nil,
        comparedUntil: Timestamp? = nil,
        quietSince: Timestamp? = nil,
        missingFrom: Timestamp? = nil,
        missingUntil: Timestamp? = nil
    ) {
        self.sweptUntil = sweptUntil
        self.comparedUntil = comparedUntil
        self.quietSince = quietSince
        self.missingFrom = missingFrom
        self.missingUntil = missingUntil
    }
}

extension RecoveryProgress: TableRecord {
    /// The table.
    public static let table = TableDescription(
        "recovery_progress",
        columns: [
            .integer("swept_until", optional: true), .integer("compared_until", optional: true),
            .integer("quiet_since", optional: true), .integer("missing_from", optional: true, step: 24),
            .integer("missing_until", optional: true, step: 24),
        ],
        key: [],
        lock: .row,
        step: 16
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [.time(sweptUntil), .time(comparedUntil), .time(quietSince), .time(missingFrom), .time(missingUntil)]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            sweptUntil: try row.optionalTime(0),
            comparedUntil: try row.optionalTime(1),
            quietSince: try row.optionalTime(2),
            missingFrom: try row.optionalTime(3),
            missingUntil: try row.optionalTime(4)
        )
    }
}

extension TableReading {
    /// How far the notifications of an app have been compared.
    ///
    /// - Throws: ``StorageError``.
    public func recoveryProgress(of app: AppID) throws(StorageError) -> RecoveryProgress {
        try row(of: RecoveryProgress.self, key: [], in: app) ?? RecoveryProgress()
    }
}

extension TableWriting {
    /// Replaces how far the notifications of an app have been compared.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ progress: RecoveryProgress, of app: AppID) throws(StorageError) { try save(progress, in: app) }
}
