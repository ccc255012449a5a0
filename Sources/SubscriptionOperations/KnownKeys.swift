import SubscriptionCore
public import SubscriptionStorage
import Synchronization

/// Finds the record of an API key by its digest and caches it for a short time.
///
/// A key that another process revoked (`perennial keys revoke`) stops working after at most ``trustedFor``. Unknown
/// keys are not cached, so a new key works at once.
public final class KnownKeys: Sendable {
    /// How long a cached key is used without reading the database.
    public static let trustedFor = Duration.seconds(5)
    /// The maximum number of cached keys.
    private static let countMax = 4_096

    private struct Entry {
        let record: APIKeyRecord
        let until: ContinuousClock.Instant
    }

    private let database: any SubscriptionDatabase
    private let now: @Sendable () -> ContinuousClock.Instant
    private let entries = Mutex<[[UInt8]: Entry]>([:])

    /// Makes an empty cache.
    ///
    /// - Parameter now: The clock for ``trustedFor``; real time, not the store's clock.
    public init(
        database: any SubscriptionDatabase,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.database = database
        self.now = now
    }

    /// The record of a key by the digest of its text; nil if the key is unknown.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func record(of digest: [UInt8]) async throws(OperationError) -> APIKeyRecord? {
        let now = now()
        if let known = entries.withLock({ $0[digest] }), known.until > now { return known.record }
        let record: APIKeyRecord?
        do {
            record = try await database.read { storage throws(StorageError) in try storage.apiKey(digest: digest) }
        } catch {
            throw OperationError(error)
        }
        entries.withLock { entries in
            guard let record else {
                entries[digest] = nil
                return
            }
            if entries.count >= Self.countMax { entries = entries.filter { $0.value.until > now } }
            if entries.count >= Self.countMax { entries = [:] }
            entries[digest] = Entry(record: record, until: now + Self.trustedFor)
        }
        return record
    }

    /// Whether a key was found before, without reading the database. It may have been revoked since.
    public func hasSeen(_ digest: [UInt8]) -> Bool { entries.withLock { $0[digest] != nil } }
}
