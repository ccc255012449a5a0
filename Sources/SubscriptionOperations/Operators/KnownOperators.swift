package import SubscriptionCore
package import SubscriptionStorage
import Synchronization

/// A person with the key or session of a request.
package struct OperatorAccess: Hashable, Sendable {
    /// The key or session.
    package let key: OperatorKey
    /// The person, without the secrets of the sign-in.
    package let account: OperatorAccount
    /// The apps of the server with which the person may work, in order.
    package let apps: [AppID]
}

/// Finds the person of a key or session by its digest and caches it for a short time, like ``KnownKeys``.
///
/// A person who is disabled or removed by another process loses access after at most ``KnownKeys/trustedFor``.
package final class KnownOperators: Sendable {
    /// The maximum number of cached keys.
    private static let countMax = 1_024

    private struct Entry {
        let access: OperatorAccess
        let until: ContinuousClock.Instant
    }

    private let database: any SubscriptionDatabase
    private let realTime: any TimeSource
    private let now: @Sendable () -> ContinuousClock.Instant
    private let entries = Mutex<[[UInt8]: Entry]>([:])

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - realTime: Real time, for the end of a key.
    ///   - now: The clock of the cache.
    package init(
        database: any SubscriptionDatabase,
        realTime: any TimeSource,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.database = database
        self.realTime = realTime
        self.now = now
    }

    /// The person of a key or session by the digest of its text; nil if it is unknown or has ended, or the person is
    /// disabled.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    package func access(by digest: [UInt8]) async throws(OperationError) -> OperatorAccess? {
        let now = now()
        if let known = entries.withLock({ $0[digest] }), known.until > now { return valid(known.access) }
        let access: OperatorAccess?
        do {
            access = try await database.read { storage throws(StorageError) in
                guard
                    let key = try storage.operatorKey(digest: digest),
                    var account = try storage.operatorAccount(key.operatorID), account.disabledAt == nil
                else { return nil }
                (account.password, account.totpSecret) = (nil, nil)
                return OperatorAccess(key: key, account: account, apps: try storage.apps(of: account))
            }
        } catch {
            throw OperationError(error)
        }
        entries.withLock { entries in
            guard let access else {
                entries[digest] = nil
                return
            }
            if entries.count >= Self.countMax { entries = entries.filter { $0.value.until > now } }
            if entries.count >= Self.countMax { entries = [:] }
            entries[digest] = Entry(access: access, until: now + KnownKeys.trustedFor)
        }
        return access.flatMap(valid)
    }

    /// Whether a key or session was found before, without reading the database. It may have ended since.
    package func hasSeen(_ digest: [UInt8]) -> Bool { entries.withLock { $0[digest] != nil } }

    /// Forgets a session that was ended.
    package func forget(_ digest: [UInt8]) { entries.withLock { $0[digest] = nil } }

    private func valid(_ access: OperatorAccess) -> OperatorAccess? {
        access.key.isExpired(at: realTime.now()) ? nil : access
    }
}
