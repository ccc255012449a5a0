import AppStoreModel
public import AppStoreSigning
public import SubscriptionCore
import SubscriptionIntake
public import SubscriptionStorage

/// Takes signed data in: verify, translate, join, and commit evidence, facts, state and events in one transaction.
public struct Ingestion: Sendable {
    /// What became of a notification.
    public enum Outcome: Hashable, Sendable {
        /// Held now, and durable.
        case taken(EvidenceID)
        /// Held before: a retry of Apple's, or a copy from elsewhere.
        case heldAlready(EvidenceID)
    }

    private let intake: FactIntake
    private let verifier: SignedDataVerifier
    private let metrics: IntakeMetrics
    private let notifications: NotificationIntake

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - database: Where everything is kept.
    ///   - verifier: Knows the trusted roots and the configured apps.
    ///   - policy: The developer's choices about access.
    ///   - time: Where "now" comes from.
    ///   - limits: How many notifications share a commit, and how many may wait for one.
    ///   - metrics: What is told of the work.
    public init(
        database: any SubscriptionDatabase,
        verifier: SignedDataVerifier,
        policy: AccessPolicy,
        time: any TimeSource,
        limits: IngestionLimits = IngestionLimits(),
        metrics: IntakeMetrics = IntakeMetrics()
    ) {
        intake = FactIntake(database: database, policy: policy, time: time)
        self.verifier = verifier
        self.metrics = metrics
        notifications = NotificationIntake(into: intake, verifier: verifier, limits: limits, metrics: metrics)
    }

    /// How many notifications wait to be verified, and for a commit.
    package var waiting: (verification: Int, commit: Int) {
        (notifications.waitingForVerification, notifications.waitingForCommit)
    }

    /// How many notifications were verified and wait for a commit.
    var waitingForCommit: Int { notifications.waitingForCommit }

    /// Takes a version 2 notification in. When this returns, the notification is durable.
    ///
    /// Many at once are verified together and share a commit; each has the outcome that it has alone.
    ///
    /// - Parameter signedPayload: The compact JWS of the body's `signedPayload`.
    /// - Throws: ``OperationError`` with the verifier's code, with storage's, or `overloaded`; nothing was changed
    ///   then.
    public func takeNotification(_ signedPayload: [UInt8]) async throws(OperationError) -> Outcome {
        try await notifications.take(signedPayload)
    }

    /// Takes a signed transaction in that a customer's app submitted.
    ///
    /// The fact is kept whoever sent it. The purchase belongs to the customer whom its account token names
    /// (`AccountTokenRule`), or else to the first who submitted it, unless the app's rule says otherwise
    /// (`TransferPolicy`).
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
        let now = intake.time.now(hearing: Timestamp(milliseconds: payload.signedDate))
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
