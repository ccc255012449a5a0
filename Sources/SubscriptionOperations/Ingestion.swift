import AppStoreModel
public import AppStoreSigning
public import SubscriptionCore
import SubscriptionIntake
public import SubscriptionStorage

/// Ingests signed data: verifies and translates it, and commits evidence, facts, state and events in one transaction.
public struct Ingestion: Sendable {
    /// The outcome of a notification.
    public enum Outcome: Hashable, Sendable {
        /// It was stored and is durable.
        case taken(EvidenceID)
        /// It was stored before: a retry by Apple or another copy.
        case duplicate(EvidenceID)
    }

    private let intake: FactIntake
    private let verifier: SignedDataVerifier
    private let metrics: IntakeMetrics
    private let notifications: NotificationIntake
    /// The notifications that arrived since the last write of ``Recovery``.
    let tally = NotificationTally()

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - verifier: The verifier with the trusted roots and the configured apps.
    ///   - policy: The developer's policy.
    ///   - time: The clock.
    ///   - limits: The limits of batching and waiting.
    ///   - metrics: The metrics.
    public init(
        database: any SubscriptionDatabase,
        verifier: SignedDataVerifier,
        policy: AccessPolicy,
        time: any TimeSource,
        limits: IngestionLimits = IngestionLimits(),
        metrics: IntakeMetrics = IntakeMetrics()
    ) {
        intake = FactIntake(database: database, policy: policy, time: time, consumption: metrics.consumption)
        self.verifier = verifier
        self.metrics = metrics
        notifications = NotificationIntake(
            into: intake,
            verifier: verifier,
            limits: limits,
            metrics: metrics,
            tally: tally
        )
    }

    /// The numbers of notifications that wait for verification and for a commit.
    package var waiting: (verification: Int, commit: Int) {
        (notifications.waitingForVerification, notifications.waitingForCommit)
    }

    /// The number of verified notifications that wait for a commit.
    var waitingForCommit: Int { notifications.waitingForCommit }

    /// Ingests a version 2 notification. It is durable when this returns.
    ///
    /// Concurrent notifications are verified together and share a commit; each has the same outcome as alone.
    ///
    /// - Parameter signedPayload: The compact JWS of the body's `signedPayload`.
    /// - Throws: ``OperationError`` with the verifier's code, storage's codes, or `overloaded`; then nothing was
    ///   changed.
    public func takeNotification(_ signedPayload: [UInt8]) async throws(OperationError) -> Outcome {
        try await notifications.take(signedPayload)
    }

    /// Ingests a signed transaction that a customer's app submitted.
    ///
    /// The fact is stored in any case. The purchase belongs to the customer of its account token (`AccountTokenRule`),
    /// or else to the first customer who submitted it, unless the app's transfer policy differs (`TransferPolicy`).
    ///
    /// - Parameters:
    ///   - signedTransaction: The compact JWS from StoreKit or from Apple's API.
    ///   - claimant: The customer it is submitted for.
    ///   - app: The app of the caller's key.
    /// - Throws: ``OperationError`` with the verifier's code; `transaction_of_another_app`;
    ///   `purchase_owned_by_another_customer`, `account_token_names_another_customer`, `purchase_shared_with_too_many`;
    ///   or storage's codes.
    public func submit(
        signedTransaction: [UInt8],
        claimant: Claimant,
        app: AppID
    ) async throws(OperationError) {
        let payload: JWSTransactionDecodedPayload
        switch metrics.counted(verifier.verifyTransaction(signedTransaction), of: .transaction) {
        case .verified(let verified): payload = verified
        case .refused(let failure): throw OperationError(submitted: failure)
        }
        guard
            let environment = AppleIntake.environment(payload.environment),
            AppID(bundleID: payload.bundleId, environment: environment) == app
        else { throw OperationError.transactionOfAnotherApp }
        let now = intake.time.now(receiving: Timestamp(milliseconds: payload.signedDate))
        var evidence = EvidenceRecord(
            .transaction,
            signedTransaction,
            of: app,
            signedDate: payload.signedDate,
            receivedAt: now
        )
        let transaction = AppleIntake.fact(of: payload, evidence: evidence.id)
        evidence.purchaseID = transaction.originalID
        let item = VerifiedInput.Item(evidence: evidence, facts: [transaction])
        let outcome: FactIntake.Outcome
        do {
            outcome = try await intake.take(VerifiedInput(app: app, items: [item], origin: .claim(claimant)))
        } catch {
            throw OperationError(error)
        }
        if let refusal = outcome.refusal { throw OperationError(refusal) }
    }
}

extension OperationError {
    fileprivate static let transactionOfAnotherApp = OperationError(
        "transaction_of_another_app",
        "The transaction belongs to another app or environment than the key. Use the key of that app and environment.",
        kind: .invalidRequest,
        parameter: "signed_transaction"
    )
}
