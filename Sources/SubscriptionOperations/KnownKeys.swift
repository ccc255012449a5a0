import SubscriptionCore
public import SubscriptionStorage
import Synchronization

/// Finds the record of an API key, and remembers it for a short time, by its digest.
///
/// A key that is taken back (`perennial keys revoke`, another process) opens nothing any more after ``trustedFor``.
/// Keys that are not known are never remembered, so that a new one works at once.
public final class KnownKeys: Sendable {
    /// How long a key is good without asking the database again.
    public static let trustedFor = Duration.seconds(5)
    /// How many keys are remembered.
    private static let countMax = 4_096

    private struct Entry {
        let record: APIKeyRecord
        let until: ContinuousClock.Instant
    }

    private let database: any SubscriptionDatabase
    private let now: @Sendable () -> ContinuousClock.Instant
    private let entries = Mutex<[[UInt8]: Entry]>([:])

    /// Knows no key yet.
    ///
    /// - Parameter now: The clock by which keys are trusted: people's time, not the store's.
    public init(
        database: any SubscriptionDatabase,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.database = database
        self.now = now
    }

    /// The record of a key by the digest of its text; nil where it is not known.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func record(of digest: [UInt8]) async throws(OperationError) -> APIKeyRecord? {
        let now = now()
        if let held = entries.withLock({ $0[digest] }), held.until > now { return held.record }
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
}
