import AppStoreModel
package import AppStoreSigning
import SubscriptionCore
package import SubscriptionStorage

extension PerennialServer {
    /// Saves the configured apps, and gives all that the database knows.
    ///
    /// - Throws: ``StartError``.
    func save(_ apps: [AppRecord], in database: any SubscriptionDatabase) async throws(StartError) -> [AppRecord] {
        do {
            return try await database.write { storage throws(StorageError) in
                for app in apps { try storage.save(app) }
                return try storage.apps()
            }
        } catch {
            throw StartError(error)
        }
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
