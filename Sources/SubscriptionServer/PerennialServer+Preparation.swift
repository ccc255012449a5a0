import AppStoreModel
package import AppStoreSigning
import Logging
import SubscriptionCore
package import SubscriptionStorage

extension PerennialServer {
    /// Takes the database for real apps or for a store, saves the configured apps, and gives all that the database
    /// knows.
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
            guard let held = try await held(apps, in: database, after: error) else { throw StartError(error) }
            return held
        }
        return try outcome.get()
    }

    /// What is stored already, where the disk is full or may not be written: then customers can still be answered.
    ///
    /// - Returns: Nil where something has to be stored first, or the error is another one.
    private func held(
        _ apps: [AppRecord],
        in database: any SubscriptionDatabase,
        after error: StorageError
    ) async throws(StartError) -> [AppRecord]? {
        guard configuration.storeURL == nil, error.code == .full || error.code == .readOnly else { return nil }
        let held: [AppRecord]?
        do {
            held = try await database.read { storage throws(StorageError) in
                let stored = try storage.apps()
                return try storage.purpose() == .production && Set(stored).isSuperset(of: apps) ? stored : nil
            }
        } catch {
            throw StartError(error)
        }
        if held != nil {
            logger.error(
                """
                Nothing can be stored, so that notifications are answered 503; customers are answered from what \
                is held
                """,
                metadata: ["code": "\(error.code.rawValue)", "message": "\(error.message)"]
            )
        }
        return held
    }
}

extension PerennialServer {
    /// The roots of receipts, by the app and environment that they are trusted for.
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
    /// A stored app as the verifier knows it.
    package init(_ app: AppRecord) {
        self.init(
            bundleId: app.bundleID,
            appAppleId: app.appleID,
            environment: app.environment == .production ? .production : .sandbox
        )
    }
}
