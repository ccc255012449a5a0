import AppStoreModel
import AppStoreSigning
import SubscriptionCore
import SubscriptionIntake
import SubscriptionStorage

/// Bounds of what is taken in at a time.
public struct IngestionLimits: Hashable, Sendable {
    /// How many notifications are verified together, at most.
    public var verifiedTogetherMax: Int
    /// How many groups are verified at a time; more than there are cores gain nothing.
    public var verifiersMax: Int
    /// How many notifications share a commit, at most.
    public var committedTogetherMax: Int
    /// How many notifications may wait for each of the two; further ones are asked to come again.
    public var waitingMax: Int

    /// Makes limits; the defaults suit two to eight cores. What would serve nobody counts as 1.
    public init(
        verifiedTogetherMax: Int = 16,
        verifiersMax: Int = 2,
        committedTogetherMax: Int = 128,
        waitingMax: Int = 512
    ) {
        self.verifiedTogetherMax = max(1, verifiedTogetherMax)
        self.verifiersMax = max(1, verifiersMax)
        self.committedTogetherMax = max(1, committedTogetherMax)
        self.waitingMax = max(0, waitingMax)
    }
}

/// Takes notifications in, many at once: they are verified side by side, and share commits.
struct NotificationIntake: Sendable {
    private typealias Outcome = Result<Ingestion.Outcome, OperationError>

    private let preparing: Batcher<[UInt8], Result<PreparedNotification, OperationError>>
    private let committing: Batcher<PreparedNotification, Result<Ingestion.Outcome, StorageError>>

    init(
        database: any SubscriptionDatabase,
        verifier: SignedDataVerifier,
        policy: AccessPolicy,
        time: any TimeSource,
        limits: IngestionLimits,
        metrics: IntakeMetrics
    ) {
        preparing = Batcher(
            workersMax: limits.verifiersMax,
            sizeMax: limits.verifiedTogetherMax,
            waitingMax: limits.waitingMax
        ) { batch in
            zip(batch, verifier.verifyNotifications(batch)).map { signedBytes, verification in
                PreparedNotification.prepared(
                    metrics.counted(verification, of: .notification),
                    signedBytes: signedBytes,
                    time: time
                )
            }
        }
        committing = Batcher(
            workersMax: 1,
            sizeMax: limits.committedTogetherMax,
            waitingMax: limits.waitingMax
        ) { batch in
            await Committing(database: database, policy: policy, time: time, metrics: metrics).commit(batch)
        }
    }

    /// How many wait to be verified.
    var waitingForVerification: Int { preparing.waitingCount }

    /// How many were verified and wait for a commit.
    var waitingForCommit: Int { committing.waitingCount }

    /// Verifies a notification and commits it.
    ///
    /// Who verified it hands it on to be committed: the caller waits once.
    ///
    /// - Throws: ``OperationError``; nothing was changed then.
    func take(_ signedPayload: [UInt8]) async throws(OperationError) -> Ingestion.Outcome {
        let outcome: Outcome = await withCheckedContinuation { continuation in
            do {
                try preparing.take(signedPayload) { [committing] prepared in
                    do {
                        try committing.take(try prepared.get()) { committed in
                            continuation.resume(returning: committed.mapError { OperationError($0) })
                        }
                    } catch {
                        continuation.resume(returning: .failure(error as? OperationError ?? .overloaded))
                    }
                }
            } catch {
                continuation.resume(returning: .failure(.overloaded))
            }
        }
        return try outcome.get()
    }
}

/// Commits notifications together.
private struct Committing: Sendable {
    /// After so many failures in a row that a retry may mend, the database is at fault.
    private static let retryableFailuresMax = 3

    let database: any SubscriptionDatabase
    let policy: AccessPolicy
    let time: any TimeSource
    let metrics: IntakeMetrics

    /// Commits a batch as a whole. Where one of it may be what fails, each is committed alone, so that it is the only
    /// one to fail.
    func commit(_ batch: [PreparedNotification]) async -> [Result<Ingestion.Outcome, StorageError>] {
        let start = ContinuousClock.now
        do {
            let outcomes = try await database.write { [policy, time] storage throws(StorageError) in
                try storage.expect(batch.map(\.expected))
                var outcomes: [Ingestion.Outcome] = []
                for notification in batch {
                    outcomes.append(try notification.store(in: storage, policy: policy, time: time))
                }
                return outcomes
            }
            metrics.committed(batch.count, in: ContinuousClock.now - start)
            return outcomes.map { .success($0) }
        } catch {
            guard batch.count > 1, error.mayConcernOneWork else { return batch.map { _ in .failure(error) } }
            return await commitOneByOne(batch)
        }
    }

    private func commitOneByOne(_ batch: [PreparedNotification]) async -> [Result<Ingestion.Outcome, StorageError>] {
        var results: [Result<Ingestion.Outcome, StorageError>] = []
        var retryableFailures = 0
        for notification in batch {
            let result = await commit([notification])
            results += result
            guard case .failure(let error)? = result.first, error.isRetryable else {
                retryableFailures = 0
                continue
            }
            retryableFailures += 1
            guard error.mayConcernOneWork, retryableFailures < Self.retryableFailuresMax else {
                // A database that is away, or too slow, is not asked again for each of the others.
                return results + batch.dropFirst(results.count).map { _ in .failure(error) }
            }
        }
        return results
    }
}

/// A verified notification as it is stored.
private struct PreparedNotification: Sendable {
    private let evidence: EvidenceRecord
    private let facts: [Fact]
    /// From which other purchase the transaction's goes on.
    private let predecessor: OriginalTransactionID?
    private let announcement: SubscriptionEvent?
    private let purchaseName: PurchaseName?
    /// The account of the store that it is about, where it is about no purchase.
    private let appTransactionID: String?
    private let isKnown: Bool

    /// What is stored of a notification that was verified.
    static func prepared(
        _ verification: Verification<VerifiedNotification>,
        signedBytes: [UInt8],
        time: any TimeSource
    ) -> Result<PreparedNotification, OperationError> {
        switch verification {
        case .refused(let failure): return .failure(OperationError(notified: failure))
        case .verified(let verified):
            return Result { () throws(OperationError) in
                let signedAt = Timestamp(milliseconds: verified.payload.signedDate)
                return try PreparedNotification(verified, signedBytes: signedBytes, now: time.now(hearing: signedAt))
            }
        }
    }

    private init(_ verified: VerifiedNotification, signedBytes: [UInt8], now: Timestamp) throws(OperationError) {
        let payload = verified.payload
        let id = AppleIntake.evidenceID(notificationUUID: payload.notificationUUID)
        facts = AppleIntake.facts(
            of: payload,
            transaction: verified.transaction,
            renewalInfo: verified.renewalInfo,
            evidence: id
        )
        predecessor = verified.transaction?.previousOriginalTransactionId.map { OriginalTransactionID($0) }
        announcement = AppleIntake.announcement(
            of: payload,
            transaction: verified.transaction,
            renewalInfo: verified.renewalInfo,
            appTransaction: verified.appTransaction
        )
        purchaseName = AppleIntake.purchaseName(of: payload, transaction: verified.transaction)
        appTransactionID = facts.isEmpty ? verified.appTransaction?.appTransactionId : nil
        isKnown = AppleIntake.isKnown(payload)
        evidence = EvidenceRecord(
            appID: try Self.appID(of: verified.app),
            id: id,
            kind: .notification,
            signedAt: Timestamp(milliseconds: payload.signedDate),
            receivedAt: now,
            signedBytes: signedBytes,
            type: payload.notificationType.rawValue,
            subtype: payload.subtype?.rawValue,
            purchaseID: facts.first?.originalID
        )
    }

    /// What ``store(in:policy:)`` will touch.
    var expected: ExpectedWork {
        let tokens = facts.compactMap { fact -> String? in
            guard case .transaction(let fact) = fact else { return nil }
            return fact.accountToken
        }
        return ExpectedWork(
            evidence: evidence,
            purchases: facts.map(\.originalID) + [predecessor].compactMap(\.self),
            customers: tokens.map(CustomerID.init(rawValue:))
        )
    }

    /// Keeps the evidence, counts it where its kind is unknown, and joins its facts.
    func store(
        in storage: any StorageWriting,
        policy: AccessPolicy,
        time: any TimeSource
    ) throws(StorageError) -> Ingestion.Outcome {
        var evidence = evidence
        let purchases = try appTransactionID.map { id throws(StorageError) in
            try storage.purchases(ofAppTransaction: id, app: evidence.appID)
        }
        // So that it is found with what it concerns.
        if let first = purchases?.first { evidence.purchaseID = first.id }
        guard try storage.insert(evidence) else { return .heldAlready(evidence.id) }
        if !isKnown { try storage.countUnknownNotification(evidence) }
        let update = PurchaseUpdate(app: evidence.appID, time: time, policy: policy, storage: storage)
        if let purchases, let announcement {
            try update.tell(announcement, owners: purchases)
        } else {
            try update.join(facts, announcement: announcement, name: purchaseName, predecessors: predecessors)
        }
        return .taken(evidence.id)
    }

    private var predecessors: [OriginalTransactionID: OriginalTransactionID] {
        guard let predecessor, let purchase = facts.first?.originalID else { return [:] }
        return [purchase: predecessor]
    }

    private static func appID(of identity: AppIdentity) throws(OperationError) -> AppID {
        guard let environment = AppleIntake.environment(identity.environment) else {
            throw OperationError(
                "environment_mismatch",
                """
                This server takes Sandbox and Production data; this is \(identity.environment.rawValue) data. \
                Send it to a test server.
                """,
                kind: .invalidRequest
            )
        }
        return AppID(bundleID: identity.bundleId, environment: environment)
    }
}

extension OperationError {
    fileprivate static let overloaded = OperationError(
        "overloaded",
        "The queue of notifications is full. Nothing was stored; send it again in some seconds.",
        kind: .unavailable
    )
}
