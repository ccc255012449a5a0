import AppStoreModel
package import AppStoreSigning
import SubscriptionCore
package import SubscriptionStorage

extension PerennialServer {
    /// Takes the database for real apps or for a store, saves the configured apps, and gives all that the database knows.
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
            throw StartError(error)
        }
        return try outcome.get()
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
