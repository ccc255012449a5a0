import AppStoreModel
package import AppStoreSigning
import Logging
import SubscriptionCore
package import SubscriptionStorage

extension PerennialServer {
    /// Claims the database for real apps or for a store, saves the configured apps, and returns all stored apps.
    ///
    /// - Throws: ``StartError``.
    func save(
        _ apps: [AppRecord],
        in database: any SubscriptionDatabase,
        as claim: DatabaseClaim
    ) async throws(StartError) -> [AppRecord] {
        let outcome: Result<[AppRecord], StartError>
        do {
            outcome = try await database.write { storage throws(StorageError) in
                if let refusal = try claim.take(storage) { return .failure(refusal) }
                for app in apps { try storage.save(app) }
                return .success(try storage.apps())
            }
        } catch {
            guard let stored = try await storedApps(apps, in: database, after: error) else { throw StartError(error) }
            return stored
        }
        return try outcome.get()
    }

    /// The stored apps if the disk is full or read-only: then the server can still answer requests about customers.
    ///
    /// - Returns: Nil if something must be stored first, or for any other error.
    private func storedApps(
        _ apps: [AppRecord],
        in database: any SubscriptionDatabase,
        after error: StorageError
    ) async throws(StartError) -> [AppRecord]? {
        guard configuration.storeURLs.isEmpty, error.code == .full || error.code == .readOnly else { return nil }
        let result: [AppRecord]?
        do {
            result = try await database.read { storage throws(StorageError) in
                let stored = try storage.apps()
                return try storage.purpose() == .production && Set(stored).isSuperset(of: apps) ? stored : nil
            }
        } catch {
            throw StartError(error)
        }
        if result != nil {
            logger.error(
                """
                Nothing can be stored, so notifications are answered 503; requests about customers use the stored \
                data
                """,
                metadata: ["code": "\(error.code.rawValue)", "message": "\(error.message)"]
            )
        }
        return result
    }
}

extension PerennialServer {
    /// The trusted roots of receipts, by app and environment.
    static func receiptRoots(_ scoped: [ScopedRoot], of apps: [AppRecord]) -> [AppID: [ReceiptRoot]] {
        var roots: [AppID: [ReceiptRoot]] = [:]
        for app in apps {
            let identity = AppIdentity(app)
            roots[app.id] = scoped.filter { scoped in
                scoped.apps.contains { $0.bundleId == identity.bundleId && $0.environment == identity.environment }
            }.map { ReceiptRoot($0.root) }
        }
        return roots
    }
}

extension AppIdentity {
    /// The verifier's identity of a stored app.
    package init(_ app: AppRecord) {
        self.init(
            bundleId: app.bundleID,
            appAppleId: app.appleID,
            environment: app.environment == .production ? .production : .sandbox
        )
    }
}
