public import SubscriptionCore

/// What an app's developer decided, for one environment.
public struct AppSettings: Hashable, Sendable {
    /// What happens when a customer submits a purchase that another one has.
    public var transferPolicy: TransferPolicy

    /// Makes settings; by default a purchase stays with whoever submitted it first.
    public init(transferPolicy: TransferPolicy = .keep) {
        self.transferPolicy = transferPolicy
    }
}

extension AppSettings: TableRecord {
    /// One row an app.
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
    /// - Throws: ``StorageError`` with `storage_corrupt` where a value is not what was written.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(transferPolicy: try row.choice(0))
    }
}

extension TableReading {
    /// What the developer decided about an app; the defaults where nothing was.
    ///
    /// - Throws: ``StorageError``.
    public func settings(of app: AppID) throws(StorageError) -> AppSettings {
        try row(of: AppSettings.self, key: [], in: app) ?? AppSettings()
    }
}

extension TableWriting {
    /// Replaces what the developer decided about an app.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ settings: AppSettings, of app: AppID) throws(StorageError) { try save(settings, in: app) }
}
