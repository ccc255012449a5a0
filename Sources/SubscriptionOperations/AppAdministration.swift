import AppStoreModel
public import SubscriptionCore
public import SubscriptionStorage

/// Reads and changes the settings of an app in one environment.
public struct AppAdministration: Sendable {
    private let database: any SubscriptionDatabase
    private let time: any TimeSource

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, time: any TimeSource) {
        self.database = database
        self.time = time
    }

    /// The app, if the database has it, and its settings.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func app(_ id: AppID) async throws(OperationError) -> (app: AppRecord?, settings: AppSettings) {
        do {
            return try await database.read { storage throws(StorageError) in
                (try storage.apps().first { $0.id == id }, try storage.settings(of: id))
            }
        } catch {
            throw OperationError(error)
        }
    }

    /// Sets the transfer policy for future submissions. It does not change current owners. Repeating it changes
    /// nothing.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func decide(_ policy: TransferPolicy, app: AppID, by who: Operator) async throws(OperationError) {
        let now = time.now()
        do {
            try await database.write { storage throws(StorageError) in
                var settings = try storage.settings(of: app)
                guard settings.transferPolicy != policy else { return }
                let before = AuditedValue(settings)
                settings.transferPolicy = policy
                try storage.save(settings, of: app)
                let after = AuditedValue(settings)
                try storage.audit(.appChanged, .app, by: who, app: app, at: now, before: before, after: after)
            }
        } catch {
            throw OperationError(error)
        }
    }
}

extension AuditedValue {
    fileprivate init(_ settings: AppSettings) {
        self.init(["transfer_policy": .string(settings.transferPolicy.rawValue)])
    }
}
