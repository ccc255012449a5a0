import SubscriptionCore
public import SubscriptionStorage
import Synchronization

/// Finds the record of an API key, and remembers it for a short time, by its digest.
///
/// A key that is taken back in this process is forgotten at once (``forget(_:)``); one that another process takes back opens
/// nothing any more after ``trustedFor``. Keys that are not known are never remembered, so that a new one works at once.
public final class KnownKeys: Sendable {
    /// How long a key is good without asking the database again.
    public static let trustedFor = Duration.seconds(5)
    /// How many keys are remembered.
    private static let countMax = 4_096

    private struct Entry {
        let record: APIKeyRecord
        let until: ContinuousClock.Instant
    }

    private struct Memory {
        var entries: [[UInt8]: Entry] = [:]
        /// Grows with each key that is forgotten, so that what was read before is not remembered after.
        var forgotten = 0
    }

    private let database: any SubscriptionDatabase
    private let now: @Sendable () -> ContinuousClock.Instant
    private let memory = Mutex(Memory())

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
        let (held, forgotten) = memory.withLock { ($0.entries[digest], $0.forgotten) }
        if let held, held.until > now { return held.record }
        let record: APIKeyRecord?
        do {
            record = try await database.read { storage throws(StorageError) in try storage.apiKey(digest: digest) }
        } catch {
            throw OperationError(error)
        }
        memory.withLock { memory in
            guard let record, memory.forgotten == forgotten else {
                memory.entries[digest] = nil
                return
            }
            if memory.entries.count >= Self.countMax { memory.entries = memory.entries.filter { $0.value.until > now } }
            if memory.entries.count >= Self.countMax { memory.entries = [:] }
            memory.entries[digest] = Entry(record: record, until: now + Self.trustedFor)
        }
        return record
    }

    /// Forgets a key that was taken back; call it after the commit.
    public func forget(_ digest: [UInt8]) {
        memory.withLock { memory in
            memory.entries[digest] = nil
            memory.forgotten += 1
        }
    }
}
