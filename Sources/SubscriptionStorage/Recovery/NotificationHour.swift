public import SubscriptionCore

/// The number of notifications that arrived in an hour, from which an app's usual rate is known.
public struct NotificationHour: Hashable, Sendable {
    /// The start of the hour.
    public var startsAt: Timestamp
    /// The number of notifications, without duplicates.
    public var count: Int

    /// Makes an hour.
    public init(startsAt: Timestamp, count: Int) {
        self.startsAt = startsAt
        self.count = count
    }

    /// The start of the hour of a time.
    public static func start(of time: Timestamp) -> Timestamp {
        let hour: Int64 = 3_600_000
        let rest = time.milliseconds % hour
        return Timestamp(milliseconds: time.milliseconds - (rest < 0 ? rest + hour : rest))
    }
}

extension NotificationHour: TableRecord {
    /// The table.
    public static let table = TableDescription(
        "notification_hours",
        columns: [.integer("starts_at"), .integer("count")],
        key: ["starts_at"],
        lock: .row,
        step: 16
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] { [.time(startsAt), .integer(count)] }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(startsAt: try row.time(0), count: try row.count(1))
    }
}

extension TableReading {
    /// The hours with notifications after an hour, in order of time.
    ///
    /// - Throws: ``StorageError``.
    public func notificationHours(
        of app: AppID,
        after start: Timestamp,
        limit: Int
    ) throws(StorageError) -> [NotificationHour] {
        try rows(of: NotificationHour.self, TableLookup(of: app, after: [.time(start)], limit: limit))
    }
}

extension TableWriting {
    /// Adds notifications to an hour.
    ///
    /// - Throws: ``StorageError``.
    public func add(_ hour: NotificationHour, of app: AppID) throws(StorageError) {
        let known = try row(of: NotificationHour.self, key: [.time(hour.startsAt)], in: app)
        try save(NotificationHour(startsAt: hour.startsAt, count: (known?.count ?? 0) + hour.count), in: app)
    }

    /// Removes the hours that began before a time, at most `limit`.
    ///
    /// - Throws: ``StorageError``.
    public func removeNotificationHours(before time: Timestamp, limit: Int, of app: AppID) throws(StorageError) {
        let last = ColumnValue.time(time.adding(milliseconds: -1))
        try remove(NotificationHour.self, TableLookup(of: app, through: last, limit: limit))
    }
}
