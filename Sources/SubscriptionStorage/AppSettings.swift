public import SubscriptionCore

/// The developer's settings of an app in one environment.
public struct AppSettings: Hashable, Sendable {
    /// What happens when a customer submits a purchase of another customer.
    public var transferPolicy: TransferPolicy

    /// Makes settings; by default a purchase stays with the first customer.
    public init(transferPolicy: TransferPolicy = .keep) {
        self.transferPolicy = transferPolicy
    }
}

extension AppSettings: TableRecord {
    /// The table, with one row for each app.
    public static let table = TableDescription(
        "app_settings",
        columns: [.text("transfer_policy")],
        key: [],
        lock: .app,
        step: 2
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] { [.text(transferPolicy)] }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(transferPolicy: try row.choice(0))
    }
}

extension TableReading {
    /// The settings of an app; the defaults if none are stored.
    ///
    /// - Throws: ``StorageError``.
    public func settings(of app: AppID) throws(StorageError) -> AppSettings {
        try row(of: AppSettings.self, key: [], in: app) ?? AppSettings()
    }
}

extension TableWriting {
    /// Replaces the settings of an app.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ settings: AppSettings, of app: AppID) throws(StorageError) { try save(settings, in: app) }
}
