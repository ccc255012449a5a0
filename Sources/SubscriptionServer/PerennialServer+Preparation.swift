import AppStoreModel
package import AppStoreSigning
import SubscriptionCore
import SubscriptionOperations
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

extension DevelopmentKeys {
    /// Sees to it that scripts can use the app of a followed store.
    ///
    /// - Returns: The texts of keys that were made now.
    /// - Throws: ``StartError``.
    func prepare(in database: any SubscriptionDatabase) async throws(StartError) -> [String] {
        var texts: [String] = []
        if let given {
            guard given.hasPrefix("sk_") else { throw .keyMalformed }
            texts = [given]
        } else {
            texts = [KeyIssuing.makeKey(.publishable), KeyIssuing.makeKey(.secret)]
        }
        var records: [APIKeyRecord] = []
        for text in texts {
            guard let record = KeyIssuing.record(of: text, app: app, createdAt: now) else { throw .keyMalformed }
            records.append(record)
        }
        let isGiven = given != nil
        let inserted: Bool
        do {
            inserted = try await database.write { [app, records] storage throws(StorageError) in
                let held = try storage.apiKeys(of: app)
                guard isGiven || held.isEmpty else { return false }
                for record in records { try storage.insert(record) }
                return true
            }
        } catch {
            throw StartError(error)
        }
        return inserted && !isGiven ? texts : []
    }
}

/// The keys of a server that follows a local store.
struct DevelopmentKeys: Sendable {
    /// The store's app.
    let app: AppID
    /// The key that the environment names.
    let given: String?
    /// When keys are made.
    let now: Timestamp
}

extension StartError {
    fileprivate static let keyMalformed = StartError(
        "key_malformed",
        "PERENNIAL_DEV_SECRET_KEY must be sk_ and at least 16 more characters.",
        kind: .configuration
    )
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
