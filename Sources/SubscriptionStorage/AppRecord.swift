public import SubscriptionCore

/// An app in one environment, for which the server accepts notifications.
public struct AppRecord: Hashable, Sendable {
    /// The identifier.
    public var id: AppID
    /// The bundle identifier.
    public var bundleID: String
    /// The environment.
    public var environment: StoreEnvironment
    /// Apple's numeric id of the app; required in production.
    public var appleID: Int64?

    /// Makes a record; the identifier is made from bundle and environment.
    public init(bundleID: String, environment: StoreEnvironment, appleID: Int64?) {
        self.id = AppID(bundleID: bundleID, environment: environment)
        self.bundleID = bundleID
        self.environment = environment
        self.appleID = appleID
    }
}

extension AppRecord: TableRecord {
    /// The table.
    public static let table = TableDescription(
        "apps",
        scope: .database,
        columns: [.text("app_id"), .text("bundle_id"), .text("environment"), .integer("apple_id", optional: true)],
        key: ["app_id"],
        lock: .appAlone,
        step: 1
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] { [.text(id), .text(bundleID), .text(environment), .integer(appleID)] }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            bundleID: try row.text(1),
            environment: try row.choice(2),
            appleID: try row.optionalInteger(3)
        )
    }
}

extension TableReading {
    /// All apps, by identifier.
    ///
    /// - Throws: ``StorageError``.
    public func apps() throws(StorageError) -> [AppRecord] { try rows(of: AppRecord.self, TableLookup(of: nil)) }
}

extension TableWriting {
    /// Adds an app, or updates its Apple id.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ app: AppRecord) throws(StorageError) { try save(app, in: nil) }
}
