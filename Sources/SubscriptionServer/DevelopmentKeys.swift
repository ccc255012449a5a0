import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// The keys of a server that follows a local store.
struct DevelopmentKeys: Sendable {
    /// The store's app.
    let app: AppID
    /// The secret key from the environment. It is never stored, so it is valid only while a store is followed.
    let given: String?
    /// The creation time of new keys.
    let now: Timestamp

    /// Whether a text is a valid key for the environment variable.
    static func isKey(_ text: String) -> Bool {
        let keys = DevelopmentKeys(app: AppID(""), given: text, now: Timestamp(milliseconds: 0))
        do {
            return try keys.givenKey() != nil
        } catch {
            return false
        }
    }

    /// The key from the environment, if there is one.
    ///
    /// - Throws: ``StartError`` `key_malformed`.
    func givenKey() throws(StartError) -> APIKeyRecord? {
        guard let given else { return nil }
        guard given.hasPrefix("sk_"), let record = KeyIssuing.record(of: given, app: app, createdAt: now) else {
            throw .keyMalformed
        }
        return record
    }

    /// Makes a key of each kind, unless one is given or the app has some.
    ///
    /// - Returns: The texts of the new keys, which are not stored.
    /// - Throws: ``StartError``.
    func make(in database: any SubscriptionDatabase) async throws(StartError) -> [String] {
        guard given == nil else { return [] }
        let texts = [KeyIssuing.makeKey(.publishable), KeyIssuing.makeKey(.secret)]
        let records = texts.compactMap { KeyIssuing.record(of: $0, app: app, createdAt: now) }
        do {
            return try await database.write { [app] storage throws(StorageError) in
                guard try storage.apiKeys(of: app).isEmpty else { return [] }
                for record in records { try storage.insert(record) }
                return texts
            }
        } catch {
            throw StartError(error)
        }
    }
}

extension StartError {
    fileprivate static let keyMalformed = StartError(
        "key_malformed",
        "PERENNIAL_DEV_SECRET_KEY must be sk_ and at least 16 more characters.",
        kind: .configuration
    )
}
