import AppStoreClient
public import AppStoreModel
public import AppStoreSigning
public import SubscriptionCore
public import SubscriptionStorage

/// Takes purchases in that somebody names but nobody has signed: by a transaction's id, by the receipt of an old app, or by
/// a version 1 notification.
///
/// None of the three is a fact here. Each only says about which purchase to ask; the App Store Server API answers with
/// signed data, which goes the way of all signed data.
public struct PurchaseLookup: Sendable {
    private let database: any SubscriptionDatabase
    private let verifier: SignedDataVerifier
    private let receiptRoots: [ReceiptRoot]
    private let access: AppStoreAccess
    private let policy: AccessPolicy
    private let time: any TimeSource
    private let metrics: IntakeMetrics

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - database: Where everything is kept.
    ///   - verifier: Knows the trusted roots and the configured apps.
    ///   - receiptRoots: The roots that receipts may end in.
    ///   - access: The lines to the App Store Server API.
    ///   - policy: The developer's choices about access.
    ///   - time: Where "now" comes from.
    ///   - metrics: What is told of the work.
    public init(
        database: any SubscriptionDatabase,
        verifier: SignedDataVerifier,
        receiptRoots: [ReceiptRoot],
        access: AppStoreAccess,
        policy: AccessPolicy,
        time: any TimeSource,
        metrics: IntakeMetrics = IntakeMetrics()
    ) {
        self.database = database
        self.verifier = verifier
        self.receiptRoots = receiptRoots
        self.access = access
        self.policy = policy
        self.time = time
        self.metrics = metrics
    }

    /// Takes the purchase of a transaction in, for a customer.
    ///
    /// An id proves nothing about who sends it: only the developer's own servers may be let to this.
    ///
    /// - Throws: ``OperationError``: `transaction_not_found`, `app_store_api_not_configured`, `app_store_unavailable`,
    ///   `purchase_owned_by_another_customer`, `account_token_names_another_customer`, or storage's codes.
    public func submit(transactionID: String, claimant: Claimant, app: AppID) async throws(OperationError) {
        let questions = PurchaseQuestions(
            api: try access.entry(of: app).api,
            transactionID: transactionID,
            parameter: "transaction_id"
        )
        let found = try await found(questions, of: app) { questions throws(OperationError) in
            try await questions.transaction()
        }
        try await join(found.only(found.first.map { [$0] } ?? []), of: app, claimedBy: claimant)
    }

    /// Takes the purchases of an app receipt in, for a customer.
    ///
    /// The receipt must be signed by the App Store, for this app; what it says of a purchase may be years old, and is not
    /// used.
    ///
    /// - Throws: ``OperationError`` as ``submit(transactionID:claimant:app:)``; the receipt verifier's code;
    ///   `receipt_without_purchases`; `history_too_long`.
    public func submit(appReceipt: String, claimant: Claimant, app: AppID) async throws(OperationError) {
        let entry = try access.entry(of: app)
        let receipt = try read(appReceipt, of: entry.api)
        let purchases = Set(
            receipt.inAppPurchases.map { OriginalTransactionID($0.originalTransactionId ?? $0.transactionId) }
        )
        guard let first = receipt.inAppPurchases.first else { throw .withoutPurchases }
        let questions = PurchaseQuestions(
            api: entry.api,
            transactionID: first.transactionId,
            parameter: "app_receipt"
        )
        let found = try await found(questions, of: app) { questions throws(OperationError) in
            try await questions.history()
        }
        try await join(found.only(purchases), of: app, claimedBy: claimant)
    }

    /// Takes a version 1 notification as the hint that it is: what its customer has now is asked for, and is durable when
    /// this returns.
    ///
    /// - Throws: ``OperationError``. What may be this server's fault, and the App Store's silence, are unavailable, so that
    ///   the notification comes again.
    public func takeVersionOne(_ body: JSONObject) async throws(OperationError) {
        let hint = try VersionOneHint(body)
        let entry = try access.entry(of: hint.app)
        guard let secret = entry.sharedSecret else { throw .noSharedSecret }
        guard let password = hint.password, password.isSecret(secret) else { throw .wrongSharedSecret }
        let questions = PurchaseQuestions(
            api: entry.api,
            transactionID: hint.transactionID,
            parameter: "original_transaction_id"
        )
        do throws(OperationError) {
            let found = try await found(questions, of: hint.app) { questions throws(OperationError) in
                try await questions.newestTransactions()
            }
            try await join(found, of: hint.app, claimedBy: nil)
        } catch {
            throw error.asUnavailable
        }
    }

    /// What the App Store answered, verified; with what its subscriptions are now, where it is about any.
    private func found(
        _ questions: PurchaseQuestions,
        of app: AppID,
        first: (PurchaseQuestions) async throws(OperationError) -> SignedPurchases
    ) async throws(OperationError) -> VerifiedPurchases {
        var found = try verified(try await first(questions), by: questions, of: app)
        guard found.hasSubscriptions else { return found }
        found.merge(try verified(try await questions.subscriptions(), by: questions, of: app))
        return found
    }

    private func verified(
        _ signed: SignedPurchases,
        by questions: PurchaseQuestions,
        of app: AppID
    ) throws(OperationError) -> VerifiedPurchases {
        try VerifiedPurchases(
            signed,
            of: app,
            bundleID: questions.api.bundleId,
            verifier: verifier,
            metrics: metrics,
            now: time.now()
        )
    }

    private func read(_ text: String, of api: AppStoreServerAPIClient.App) throws(OperationError) -> AppReceipt {
        let verifier = ReceiptVerifier(
            roots: receiptRoots,
            expecting: ReceiptExpectation(bundleId: api.bundleId, environment: api.choice.environments.first)
        )
        switch metrics.counted(verifier.verify(text), of: .receipt) {
        case .verified(let receipt): return receipt
        case .refused(let failure):
            throw OperationError(
                failure.code.rawValue,
                failure.message,
                kind: .invalidRequest,
                parameter: "app_receipt"
            )
        }
    }

    private func join(
        _ found: VerifiedPurchases,
        of app: AppID,
        claimedBy claimant: Claimant?
    ) async throws(OperationError) {
        let now = time.now()
        let refusal: RefusedClaim.Reason?
        do {
            refusal = try await database.write { [policy] storage throws(StorageError) in
                let update = PurchaseUpdate(app: app, now: now, policy: policy, storage: storage)
                return try found.join(with: update, claimedBy: claimant)
            }
        } catch {
            throw OperationError(error)
        }
        if let refusal { throw OperationError(refusal) }
    }
}

extension String {
    /// Compares with a secret in a time that does not tell where they differ.
    fileprivate func isSecret(_ secret: String) -> Bool {
        let (mine, other) = (Array(utf8), Array(secret.utf8))
        guard mine.count == other.count else { return false }
        return zip(mine, other).reduce(into: 0 as UInt8) { $0 |= $1.0 ^ $1.1 } == 0
    }
}

extension OperationError {
    fileprivate static let withoutPurchases = OperationError(
        "receipt_without_purchases",
        "The receipt is genuine and has no purchase in it. There is nothing to take in.",
        kind: .invalidRequest,
        parameter: "app_receipt"
    )

    fileprivate static let noSharedSecret = OperationError(
        "shared_secret_not_configured",
        "Version 1 notifications are not signed; this server believes them only with the app's shared secret, which it "
            + "lacks. Configure it, or choose version 2 in App Store Connect.",
        kind: .unavailable
    )

    fileprivate static let wrongSharedSecret = OperationError(
        "shared_secret_wrong",
        "The notification does not carry the shared secret that is configured for its app.",
        kind: .unavailable,
        parameter: "password"
    )

    /// The same error, for a sender who is to try again.
    fileprivate var asUnavailable: OperationError {
        OperationError(code, message, kind: .unavailable, isRetryable: true, detail: detail)
    }
}
