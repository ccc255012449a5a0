import SubscriptionCore
public import SubscriptionStorage
import Synchronization

/// Finds the record of an API key by its digest and caches it for a short time.
///
/// A key that another process revoked (`perennial keys revoke`) stops working after at most ``trustedFor``. Unknown
/// keys are not cached, so a new key works at once.
///
/// It notes which keys are used. ``settle()`` stores that, at most once per minute and key.
public final class KnownKeys: Sendable {
    /// How long a cached key is used without reading the database.
    public static let trustedFor = Duration.seconds(5)
    /// The maximum number of cached keys.
    private static let countMax = 4_096

    /// How often the use of a key is noted.
    private static let notedEvery = Duration.seconds(60)

    private struct Entry {
        let record: APIKeyRecord
        let until: ContinuousClock.Instant
        /// Until then the use of the key is not noted again.
        var notedUntil: ContinuousClock.Instant
    }

    private struct Use {
        let digest: [UInt8]
        let time: Timestamp
    }

    private struct State {
        var entries: [[UInt8]: Entry] = [:]
        /// The uses that are not stored yet, by the identifiers of the keys.
        var used: [String: Use] = [:]
    }

    private let database: any SubscriptionDatabase
    private let now: @Sendable () -> ContinuousClock.Instant
    private let realTime: any TimeSource
    private let state = Mutex(State())

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - realTime: The clock of the last use.
    ///   - now: The clock for ``trustedFor``; real time, not the store's clock.
    public init(
        database: any SubscriptionDatabase,
        realTime: any TimeSource = SystemTimeSource(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.database = database
        self.realTime = realTime
        self.now = now
    }

    /// The record of a key by the digest of its text; nil if the key is unknown.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func record(of digest: [UInt8]) async throws(OperationError) -> APIKeyRecord? {
        let now = now()
        if let known = known(digest, at: now) { return known }
        let record: APIKeyRecord?
        do {
            record = try await database.read { storage throws(StorageError) in try storage.apiKey(digest: digest) }
        } catch {
            throw OperationError(error)
        }
        let use = record.map { (id: $0.publicID, use: Use(digest: digest, time: realTime.now())) }
        state.withLock { state in
            guard let record, let use else {
                state.entries[digest] = nil
                return
            }
            if state.entries.count >= Self.countMax { state.entries = state.entries.filter { $0.value.until > now } }
            if state.entries.count >= Self.countMax { state.entries = [:] }
            var notedUntil = state.entries[digest]?.notedUntil ?? now
            if notedUntil <= now {
                state.used[use.id] = use.use
                notedUntil = now + Self.notedEvery
            }
            state.entries[digest] = Entry(record: record, until: now + Self.trustedFor, notedUntil: notedUntil)
        }
        return record
    }

    /// Whether a key was found before, without reading the database. It may have been revoked since.
    public func hasSeen(_ digest: [UInt8]) -> Bool { state.withLock { $0.entries[digest] != nil } }

    private func known(_ digest: [UInt8], at now: ContinuousClock.Instant) -> APIKeyRecord? {
        state.withLock { state in
            guard let known = state.entries[digest], known.until > now else { return nil }
            return known.record
        }
    }
}

extension KnownKeys: SettledWork {
    /// What a failure means.
    public static var failed: String { "The last use of keys was not stored" }

    /// Stores the last use of the keys that were used since the last call, and that were not revoked before.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func settle() async throws(OperationError) {
        let used = state.withLock { state in
            defer { state.used = [:] }
            return state.used
        }
        guard !used.isEmpty else { return }
        let now = realTime.now()
        do {
            try await database.write { storage throws(StorageError) in
                for (id, use) in used.sorted(by: { $0.key < $1.key }) {
                    // A key that was revoked before this transaction leaves nothing. The look-up locks nothing, so that
                    // noting uses does not lock the app. On PostgreSQL a revocation that commits after it leaves the
                    // row of the use, which nothing reads.
                    guard try storage.apiKey(digest: use.digest) != nil else { continue }
                    // A stored time in the future is from a clock that was ahead.
                    let last = try storage.lastUse(ofKey: id)
                    guard last.map({ $0 < use.time || $0 > now }) ?? true else { continue }
                    try storage.save(APIKeyUse(keyID: id, lastUsedAt: use.time))
                }
            }
        } catch {
            state.withLock { $0.used.merge(used) { newer, _ in newer } }
            throw OperationError(error)
        }
    }
}
