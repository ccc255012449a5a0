import AppStoreModel
import AppStoreSigning
import SubscriptionCore
import SubscriptionIntake
import SubscriptionStorage

/// The limits of the intake.
public struct IngestionLimits: Hashable, Sendable {
    /// The maximum number of notifications that are verified together.
    public var verifiedTogetherMax: Int
    /// The number of groups that are verified concurrently; more than the number of cores is no faster.
    public var verifiersMax: Int
    /// The maximum number of notifications in a commit.
    public var committedTogetherMax: Int
    /// The maximum number of notifications that wait for each of the two; further ones are refused and must be sent
    /// again.
    public var waitingMax: Int

    /// Makes limits; the defaults suit two to eight cores. Values below 1 count as 1.
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

/// Ingests concurrent notifications: they are verified in parallel and share commits.
struct NotificationIntake: Sendable {
    private typealias Outcome = Result<Ingestion.Outcome, OperationError>

    private let preparing: Batcher<[UInt8], Result<VerifiedInput, OperationError>>
    private let committing: Batcher<VerifiedInput, Result<Ingestion.Outcome, StorageError>>

    init(
        into intake: FactIntake,
        verifier: SignedDataVerifier,
        limits: IngestionLimits,
        metrics: IntakeMetrics,
        tally: NotificationTally
    ) {
        let time = intake.time
        preparing = Batcher(
            workersMax: limits.verifiersMax,
            sizeMax: limits.verifiedTogetherMax,
            waitingMax: limits.waitingMax
        ) { batch in
            zip(batch, verifier.verifyNotifications(batch)).map { signedBytes, verification in
                VerifiedInput.notification(
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
            let outcomes = await GroupCommit(intake: intake, metrics: metrics).commit(batch)
            return zip(batch, outcomes).map { input, outcome in
                let evidence = input.items[0].evidence
                if case .success(let outcome) = outcome, outcome.isNew {
                    tally.count(input.app, at: evidence.receivedAt)
                }
                return outcome.map { $0.isNew ? .taken(evidence.id) : .duplicate(evidence.id) }
            }
        }
    }

    /// The number of notifications that wait for verification.
    var waitingForVerification: Int { preparing.waitingCount }

    /// The number of verified notifications that wait for a commit.
    var waitingForCommit: Int { committing.waitingCount }

    /// Verifies a notification and commits it.
    ///
    /// The verifying worker queues it for the commit, so the caller waits only once.
    ///
    /// - Throws: ``OperationError``; then nothing was changed.
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

extension VerifiedInput {
    /// The input of a verified notification.
    static func notification(
        _ verification: Verification<VerifiedNotification>,
        signedBytes: [UInt8],
        time: any TimeSource
    ) -> Result<VerifiedInput, OperationError> {
        switch verification {
        case .refused(let failure): return .failure(OperationError(notified: failure))
        case .verified(let verified):
            return Result { () throws(OperationError) in
                let signedAt = Timestamp(milliseconds: verified.payload.signedDate)
                return try VerifiedInput(verified, signedBytes: signedBytes, now: time.now(receiving: signedAt))
            }
        }
    }

    private init(_ verified: VerifiedNotification, signedBytes: [UInt8], now: Timestamp) throws(OperationError) {
        let payload = verified.payload
        let id = AppleIntake.evidenceID(notificationUUID: payload.notificationUUID)
        let facts = AppleIntake.facts(
            of: payload,
            transaction: verified.transaction,
            renewalInfo: verified.renewalInfo,
            evidence: id
        )
        let evidence = EvidenceRecord(
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
        let notice = Notice(
            announcement: AppleIntake.announcement(
                of: payload,
                transaction: verified.transaction,
                renewalInfo: verified.renewalInfo,
                appTransaction: verified.appTransaction
            ),
            purchaseName: AppleIntake.purchaseName(of: payload, transaction: verified.transaction),
            appTransactionID: facts.isEmpty ? verified.appTransaction?.appTransactionId : nil,
            isKnown: AppleIntake.isKnown(payload)
        )
        let predecessor = verified.transaction?.previousOriginalTransactionId.map { OriginalTransactionID($0) }
        app = evidence.appID
        items = [Item(evidence: evidence, facts: facts, predecessor: predecessor)]
        origin = .notification(notice)
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
        "The queue of notifications is full. Nothing was stored; send it again in a few seconds.",
        kind: .unavailable
    )
}
