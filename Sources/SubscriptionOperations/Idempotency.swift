public import SubscriptionCore
public import SubscriptionStorage

/// Does a request once, however often its caller sends it under one key, and remembers what it was answered.
public struct Idempotency: Sendable {
    /// What to do with a request.
    public enum Decision: Hashable, Sendable {
        /// It was not done, as far as is known: do it, then ``finish(_:digest:since:answer:naming:app:)``,
        /// ``release(_:digest:since:app:)`` or ``abandon(_:app:)``. The instant is that of the first copy: with the key
        /// it names the request.
        case proceed(since: Timestamp)
        /// It was done: give the same answer again.
        case replay(IdempotencyRecord.Answer)
    }

    /// How long an answer is remembered.
    public static let lifetimeMilliseconds: Int64 = 24 * 60 * 60 * 1000
    /// How long a request may be at work before it counts as one whose process ended.
    public static let workMillisecondsMax: Int64 = 60 * 1000
    /// How many old answers are forgotten with each new request.
    private static let forgottenPerRequest = 100

    private let database: any SubscriptionDatabase
    private let time: any TimeSource

    /// Makes the use case.
    ///
    /// - Parameter time: People's time, not a store's: callers retry by it.
    public init(database: any SubscriptionDatabase, time: any TimeSource = SystemTimeSource()) {
        self.database = database
        self.time = time
    }

    /// Begins a request, or finds that it was begun before.
    ///
    /// - Parameters:
    ///   - key: The caller's key.
    ///   - digest: SHA-256 of everything that makes the request.
    ///   - app: The app of the caller's API key.
    /// - Throws: ``OperationError`` `idempotency_key_reused` for another request under the same key,
    ///   `idempotency_key_in_use` while the first copy is at work, or storage's codes.
    public func begin(_ key: String, digest: [UInt8], app: AppID) async throws(OperationError) -> Decision {
        let now = time.now()
        let result: Result<Decision, OperationError>
        do {
            result = try await database.write { storage throws(StorageError) in
                let expiry = now.adding(milliseconds: -Self.lifetimeMilliseconds)
                try storage.removeIdempotencyRecords(before: expiry, limit: Self.forgottenPerRequest, of: app)
                var since = now
                if let held = try storage.idempotencyRecord(key, of: app), held.startedAt >= expiry {
                    guard held.requestDigest == digest else { return .failure(.keyReused) }
                    if let answer = held.answer { return .success(.replay(answer)) }
                    let lapses = held.leasedAt?.adding(milliseconds: Self.workMillisecondsMax)
                    guard lapses.map({ $0 <= now }) ?? true else { return .failure(.keyInUse) }
                    since = held.startedAt
                }
                let begun = IdempotencyRecord(key: key, requestDigest: digest, startedAt: since, leasedAt: now)
                try storage.save(begun, of: app)
                return .success(.proceed(since: since))
            }
        } catch {
            throw OperationError(error)
        }
        return try result.get()
    }

    /// Remembers what a request was answered.
    ///
    /// - Parameter customers: Whom the answer names: it is forgotten when one of them is erased.
    /// - Throws: ``OperationError`` with storage's codes.
    public func finish(
        _ key: String,
        digest: [UInt8],
        since: Timestamp,
        answer: IdempotencyRecord.Answer,
        naming customers: [CustomerID] = [],
        app: AppID
    ) async throws(OperationError) {
        let record = IdempotencyRecord(
            key: key,
            requestDigest: digest,
            startedAt: since,
            answer: answer,
            customers: customers
        )
        do {
            try await database.write { storage throws(StorageError) in try storage.save(record, of: app) }
        } catch {
            throw OperationError(error)
        }
    }

    /// Ends a copy of which it is not known whether it was done: the next one may be sent at once, under the same name.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func release(
        _ key: String,
        digest: [UInt8],
        since: Timestamp,
        app: AppID
    ) async throws(OperationError) {
        let record = IdempotencyRecord(key: key, requestDigest: digest, startedAt: since)
        do {
            try await database.write { storage throws(StorageError) in try storage.save(record, of: app) }
        } catch {
            throw OperationError(error)
        }
    }

    /// Forgets a request that did nothing, so that it may be sent again.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func abandon(_ key: String, app: AppID) async throws(OperationError) {
        do {
            try await database.write { storage throws(StorageError) in
                try storage.removeIdempotencyRecord(key, of: app)
            }
        } catch {
            throw OperationError(error)
        }
    }
}

extension OperationError {
    fileprivate static let keyReused = OperationError(
        "idempotency_key_reused",
        "Another request was sent under this Idempotency-Key. Make a new key for each request.",
        kind: .conflict
    )

    fileprivate static let keyInUse = OperationError(
        "idempotency_key_in_use",
        """
        The first request with this Idempotency-Key is still being processed. Send it again in some seconds for \
        its answer.
        """,
        kind: .conflict,
        isRetryable: true
    )
}
