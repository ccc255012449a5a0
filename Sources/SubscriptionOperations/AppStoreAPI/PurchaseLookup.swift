import AppStoreClient
public import AppStoreModel
public import AppStoreSigning
public import SubscriptionCore
import SubscriptionIntake
public import SubscriptionStorage

/// Ingests purchases from unsigned hints: a transaction's id, the receipt of an old app, or a version 1 notification.
///
/// None of the three is a fact. Each only identifies a purchase; the signed data from the App Store Server API is then
/// ingested like all signed data.
public struct PurchaseLookup: Sendable {
    let database: any SubscriptionDatabase
    private let verifier: SignedDataVerifier
    let receiptRoots: [ReceiptRoot]
    let scopedReceiptRoots: [AppID: [ReceiptRoot]]
    let access: AppStoreAccess
    let intake: FactIntake
    let time: any TimeSource
    let metrics: IntakeMetrics
    let lookups: AppStoreLookups
    let claims: AppConcurrencyLimit
    let receipts: RecentReceipts
    let reading = ReceiptReading()

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - verifier: The verifier with the trusted roots and the configured apps.
    ///   - receiptRoots: The trusted roots of receipts.
    ///   - scopedReceiptRoots: Further roots for the receipts of one app in one environment.
    ///   - access: The clients of the App Store Server API.
    ///   - policy: The developer's policy.
    ///   - time: The clock.
    ///   - metrics: The metrics.
    public init(
        database: any SubscriptionDatabase,
        verifier: SignedDataVerifier,
        receiptRoots: [ReceiptRoot],
        scopedReceiptRoots: [AppID: [ReceiptRoot]] = [:],
        access: AppStoreAccess,
        policy: AccessPolicy,
        time: any TimeSource,
        metrics: IntakeMetrics = IntakeMetrics()
    ) {
        self.database = database
        self.verifier = verifier
        self.receiptRoots = receiptRoots
        self.scopedReceiptRoots = scopedReceiptRoots
        self.access = access
        intake = FactIntake(database: database, policy: policy, time: time)
        self.time = time
        self.metrics = metrics
        lookups = AppStoreLookups(access.limits)
        claims = AppConcurrencyLimit(access.limits.lookupsMax)
        receipts = RecentReceipts(lifetimeMilliseconds: access.limits.receiptMilliseconds)
    }

    /// The number of requests that wait for the App Store.
    package var waiting: Int { lookups.waiting }

    /// Ingests the purchases of an identifier for a customer.
    ///
    /// An identifier does not prove who sends it, so only the developer's own servers may call this.
    ///
    /// - Throws: ``OperationError``: `transaction_not_found`, `order_not_found`, `order_lookup_not_available`,
    ///   `history_too_long`, `no_purchases`, `app_store_api_not_configured`, `app_store_unavailable`,
    ///   `purchase_owned_by_another_customer`, `account_token_names_another_customer`; for a transaction receipt
    ///   `receipt_malformed`, `receipt_form_wrong`, `bundle_id_mismatch`; or storage's codes.
    public func submit(
        _ identifier: PurchaseIdentifier,
        claimant: Claimant,
        app: AppID,
        permit: some RequestPermit = NoRequestPermit()
    ) async throws(OperationError) {
        let question = try IdentifiedPurchases(identifier, of: app)
        let queries = PurchaseQueries(
            api: try access.entry(of: app).api,
            transactionID: question.text,
            parameter: identifier.field
        )
        let found = try await found(queries, of: app, permit) { queries throws(OperationError) in
            try await question.transactions(queries)
        }
        let claimed = try question.claimed(in: found)
        if let refusal = try await commit(claimed, outOf: found, of: app, claimedBy: claimant) {
            throw OperationError(refusal)
        }
    }

    /// Ingests an answer of which a part is claimed. Of a whole history, the rest is stored too.
    ///
    /// - Returns: Why the customer does not have the claimed purchases; nil if the customer has them.
    func commit(
        _ claimed: VerifiedPurchases,
        outOf found: VerifiedPurchases,
        of app: AppID,
        claimedBy claimant: Claimant,
        by receipt: ReceiptRecord? = nil
    ) async throws(OperationError) -> ClaimRefusal? {
        let refusal = try await commit(claimed, of: app, claimedBy: claimant, by: receipt)
        if found.isWholeHistory { try await keepRest(of: found, without: claimed, of: app, besideClaimOf: claimant) }
        return refusal
    }

    /// Stores the rest of a whole history, as for a late joiner: nobody claims it, because the identifier or the
    /// receipt does not name these purchases. They have an owner only if Apple's data names one.
    private func keepRest(
        of found: VerifiedPurchases,
        without claimed: VerifiedPurchases,
        of app: AppID,
        besideClaimOf claimant: Claimant
    ) async throws(OperationError) {
        let rest = found.only(found.purchases.subtracting(claimed.purchases))
        guard rest.first != nil, let purchase = claimed.first else { return }
        let suppressed =
            claimant.omitsEventsOfNewPurchases ? VerifiedInput.SuppressedEvents(purchase: purchase) : nil
        do {
            _ = try await intake.take(rest.answer(of: app, suppressed: suppressed, awaitedHistory: nil))
        } catch {
            throw OperationError(error)
        }
    }

    /// The purchases of an order, by the order number in Apple's mail to the customer. Nothing is stored.
    ///
    /// - Returns: An empty set if Apple does not know the order as one of the app's.
    /// - Throws: ``OperationError`` `app_store_api_not_configured`, `order_lookup_not_available`, `app_store_refused`,
    ///   `app_store_unavailable`; the verifier's code.
    public func purchases(
        ofOrder order: String,
        app: AppID
    ) async throws(OperationError) -> Set<OriginalTransactionID> {
        Set(try await transactions(ofOrder: order, app: app).map(\.originalID))
    }

    /// The transactions of an order, as Apple signs them now. Nothing is stored.
    ///
    /// - Returns: Nothing if Apple does not know the order as one of the app's.
    /// - Throws: ``OperationError`` as ``purchases(ofOrder:app:)``; `transaction_of_another_app`, `app_store_busy`.
    func transactions(ofOrder order: String, app: AppID) async throws(OperationError) -> [TransactionFact] {
        let queries = PurchaseQueries(
            api: try access.entry(of: app).api,
            transactionID: order,
            parameter: "order_id"
        )
        return try await lookups.run(for: app) { () throws(OperationError) in
            try verified(try await queries.orderedTransactions(), by: queries, of: app).transactions
        }
    }

    /// Uses a version 1 notification as a hint: requests the customer's current purchases, which are durable when this
    /// returns.
    ///
    /// - Throws: ``OperationError``. Failures that this server or the App Store may have caused are `unavailable`, so
    ///   that Apple sends the notification again.
    public func takeVersionOne(
        _ body: JSONObject,
        permit: some RequestPermit = NoRequestPermit()
    ) async throws(OperationError) {
        let hint = try VersionOneHint(body)
        guard serves(hint.app) else { throw .unknownApp }
        let entry = try access.entry(of: hint.app)
        guard let secret = entry.sharedSecret else { throw .noSharedSecret }
        guard let password = hint.password, password.isSecret(secret) else { throw .wrongSharedSecret }
        try await count(hint)
        let queries = PurchaseQueries(
            api: entry.api,
            transactionID: hint.transactionID,
            parameter: "original_transaction_id"
        )
        do throws(OperationError) {
            let found = try await found(queries, of: hint.app, permit) { queries throws(OperationError) in
                try await queries.newestTransactions()
            }
            try await join(found, of: hint.app, claimedBy: nil)
        } catch {
            throw error.asUnavailable
        }
    }

    /// Counts a version 1 notification, so that it is known whether they still arrive.
    private func count(_ hint: VersionOneHint) async throws(OperationError) {
        let now = time.now()
        do throws(StorageError) {
            try await database.write { storage throws(StorageError) in
                try storage.countUnknownNotification(
                    UnknownNotificationCount.versionOne,
                    hint.type,
                    receivedAt: now,
                    of: hint.app
                )
            }
        } catch {
            throw OperationError(error).asUnavailable
        }
    }

    private func serves(_ app: AppID) -> Bool {
        verifier.apps.contains { identity in
            guard let environment = AppleIntake.environment(identity.environment) else { return false }
            return AppID(bundleID: identity.bundleId, environment: environment) == app
        }
    }

    /// The verified response of the App Store, with the current state of the subscriptions in it.
    func found(
        _ queries: PurchaseQueries,
        of app: AppID,
        _ permit: some RequestPermit,
        first: @escaping @Sendable (PurchaseQueries) async throws(OperationError) -> SignedPurchases
    ) async throws(OperationError) -> VerifiedPurchases {
        try await permit.released { () throws(OperationError) in
            try await lookups.run(for: app) { () throws(OperationError) in
                var found = try verified(try await first(queries), by: queries, of: app)
                guard found.hasSubscriptions, let first = found.first else { return found }
                // The identifier may be an order number.
                let current = PurchaseQueries(
                    api: queries.api,
                    transactionID: first.rawValue,
                    parameter: queries.parameter
                )
                found.merge(try verified(try await current.subscriptions(), by: current, of: app))
                return found
            }
        }
    }

    private func verified(
        _ signed: SignedPurchases,
        by queries: PurchaseQueries,
        of app: AppID
    ) throws(OperationError) -> VerifiedPurchases {
        try VerifiedPurchases(
            signed,
            of: app,
            bundleID: queries.api.bundleId,
            verifier: verifier,
            metrics: metrics,
            time: time
        )
    }

    private func join(
        _ found: VerifiedPurchases,
        of app: AppID,
        claimedBy claimant: Claimant?
    ) async throws(OperationError) {
        if let refusal = try await commit(found, of: app, claimedBy: claimant) { throw OperationError(refusal) }
    }

    /// - Returns: Why the customer does not have the purchases; nil if the customer has them or there is no claimant.
    private func commit(
        _ found: VerifiedPurchases,
        of app: AppID,
        claimedBy claimant: Claimant?,
        by receipt: ReceiptRecord? = nil
    ) async throws(OperationError) -> ClaimRefusal? {
        do {
            return try await intake.take(found.input(of: app, claimedBy: claimant, by: receipt)).refusal
        } catch {
            throw OperationError(error)
        }
    }
}

extension String {
    /// Compares with a secret in constant time.
    fileprivate func isSecret(_ secret: String) -> Bool {
        let (mine, other) = (Array(utf8), Array(secret.utf8))
        guard mine.count == other.count else { return false }
        return zip(mine, other).reduce(into: 0 as UInt8) { $0 |= $1.0 ^ $1.1 } == 0
    }
}

extension OperationError {
    fileprivate static let unknownApp = OperationError(
        "app_not_configured",
        "The version 1 notification is about an app or environment that this server does not serve. It is "
            + "configured with "
            + "apps or --app.",
        kind: .invalidRequest,
        parameter: "bid"
    )

    fileprivate static let noSharedSecret = OperationError(
        "shared_secret_not_configured",
        "Version 1 notifications are not signed; this server accepts them only with the app's shared secret, which it "
            + "lacks. Configure it, or choose version 2 in App Store Connect.",
        kind: .unavailable
    )

    fileprivate static let wrongSharedSecret = OperationError(
        "shared_secret_wrong",
        "The notification does not carry the shared secret that is configured for its app.",
        kind: .unavailable,
        parameter: "password"
    )

    /// The same error, for a sender that should retry.
    fileprivate var asUnavailable: OperationError {
        OperationError(code, message, kind: .unavailable, isRetryable: true, detail: detail)
    }
}
