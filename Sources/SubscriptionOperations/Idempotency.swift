public import SubscriptionCore
public import SubscriptionStorage

/// Ensures that a request with an idempotency key is processed once, and stores its response.
public struct Idempotency: Sendable {
    /// What to do with a request.
    public enum Decision: Hashable, Sendable {
        /// It was not processed as far as known: process it, then call ``finish(_:digest:since:answer:naming:app:)``,
        /// ``release(_:digest:since:app:)`` or ``abandon(_:app:)``. The time of the first copy identifies the request
        /// together with the key.
        case proceed(since: Timestamp)
        /// It was processed: send the same response again.
        case replay(IdempotencyRecord.Answer)
    }

    /// How long a response is stored.
    public static let lifetimeMilliseconds: Int64 = 24 * 60 * 60 * 1000
    /// How long a request may run before it counts as aborted.
    public static let workMillisecondsMax: Int64 = 60 * 1000
    /// The number of old responses that each new request removes.
    private static let forgottenPerRequest = 100

    private let database: any SubscriptionDatabase
    private let time: any TimeSource

    /// Makes the use case.
    ///
    /// - Parameter time: Real time, not a store's clock, because callers retry in real time.
    public init(database: any SubscriptionDatabase, time: any TimeSource = SystemTimeSource()) {
        self.database = database
        self.time = time
    }

    /// Begins a request, or finds an earlier copy of it.
    ///
    /// - Parameters:
    ///   - key: The idempotency key.
    ///   - digest: SHA-256 of the request.
    ///   - app: The app of the caller's API key.
    /// - Throws: ``OperationError`` `idempotency_key_reused` for another request under the same key,
    ///   `idempotency_key_in_use` while the first copy is being processed, or storage's codes.
    public func begin(_ key: String, digest: [UInt8], app: AppID) async throws(OperationError) -> Decision {
        let now = time.now()
        let result: Result<Decision, OperationError>
        do {
            result = try await database.write { storage throws(StorageError) in
                let expiry = now.adding(milliseconds: -Self.lifetimeMilliseconds)
                try storage.removeIdempotencyRecords(before: expiry, limit: Self.forgottenPerRequest, of: app)
                var since = now
                if let existing = try storage.idempotencyRecord(key, of: app), existing.startedAt >= expiry {
                    guard existing.requestDigest == digest else { return .failure(.keyReused) }
                    if let answer = existing.answer { return .success(.replay(answer)) }
                    let lapses = existing.leasedAt?.adding(milliseconds: Self.workMillisecondsMax)
                    guard lapses.map({ $0 <= now }) ?? true else { return .failure(.keyInUse) }
                    since = existing.startedAt
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

    /// Stores the response of a request.
    ///
    /// - Parameter customers: The customers in the response: it is removed when one of them is erased.
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

    /// Ends a copy with an unknown outcome. The next copy may be sent at once and has the same identity.
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

    /// Removes a request that had no effect, so that it may be sent again.
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
        "Another request was sent under this Idempotency-Key, and may have been carried out. Look what became of it. "
            + "Use a new key only for a request that was not made yet.",
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
