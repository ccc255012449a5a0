import AppStoreClient
import AppStoreSigning
import SubscriptionCore
import SubscriptionStorage

/// Asks Apple for what it signs now about a purchase.
struct StatusInquiry: Sendable {
    let verifier: SignedDataVerifier
    let access: AppStoreAccess
    let metrics: IntakeMetrics
    let time: any TimeSource
    private let lookups: AppStoreLookups
    private let millisecondsMax: Int

    /// - Parameter limits: The limits of concurrent queries and their time; nil for those of the access.
    init(
        verifier: SignedDataVerifier,
        access: AppStoreAccess,
        limits: AppStoreLimits? = nil,
        metrics: IntakeMetrics,
        time: any TimeSource
    ) {
        self.verifier = verifier
        self.access = access
        self.metrics = metrics
        self.time = time
        let limits = limits ?? access.limits
        lookups = AppStoreLookups(limits)
        millisecondsMax = limits.lookupMillisecondsMax
    }

    /// The newest transaction and the renewal record of every subscription of the purchase's store account.
    ///
    /// - Throws: ``OperationError`` as ``PurchaseLookup``'s look-ups.
    func subscriptions(
        of purchase: OriginalTransactionID,
        app: AppID
    ) async throws(OperationError) -> VerifiedPurchases {
        try await answer(about: purchase, app: app) { queries throws(OperationError) in
            try await queries.subscriptions()
        }
    }

    /// The history of the purchase's store account, of which nothing was read yet.
    ///
    /// - Throws: ``OperationError`` `app_store_api_not_configured`.
    func historyReading(of purchase: OriginalTransactionID, app: AppID) throws(OperationError) -> HistoryReading {
        HistoryReading(try access.entry(of: app).api, transactionID: purchase.rawValue)
    }

    /// Continues a history for half of the time limit of a query, so that the last page has time to arrive.
    ///
    /// - Parameter pace: Each page takes a slot.
    /// - Returns: Whether everything was read.
    /// - Throws: ``OperationError`` as ``PurchaseLookup``'s look-ups; `history_too_long` if there are more than 2,000
    ///   transactions or refunds.
    func read(_ reading: HistoryReading, pace: QueryPace, app: AppID) async throws(OperationError) -> Bool {
        await pace.wait(for: app)
        let end = pace.elapsed + .milliseconds(millisecondsMax / 2)
        return try await lookups.run(for: app) { () throws(OperationError) in
            try await reading.read { await pace.wait(for: app, until: end) }
        }
    }

    /// Verifies what was read in several looks.
    ///
    /// A transaction whose signature is refused is left out, so that it does not keep the others from being stored. The
    /// metrics count it by reason.
    ///
    /// - Throws: ``OperationError`` with the verifier's code if no signature is accepted.
    func verified(_ found: SignedPurchases, app: AppID) async throws(OperationError) -> VerifiedPurchases {
        let bundleID = try access.entry(of: app).api.bundleId
        return try await lookups.run(for: app) { () throws(OperationError) in
            try VerifiedPurchases(
                found,
                of: app,
                bundleID: bundleID,
                verifier: verifier,
                metrics: metrics,
                time: time,
                skipsRefused: true
            )
        }
    }

    /// All refunded transactions of the purchase's store account.
    ///
    /// - Throws: ``OperationError`` as ``PurchaseLookup``'s look-ups; `history_too_long` if there are more than 2,000.
    func refunds(
        of purchase: OriginalTransactionID,
        app: AppID
    ) async throws(OperationError) -> VerifiedPurchases {
        try await answer(about: purchase, app: app) { queries throws(OperationError) in
            try await queries.refunds()
        }
    }

    /// The one-time purchase.
    ///
    /// - Throws: ``OperationError`` as ``PurchaseLookup``'s look-ups.
    func oneTimePurchase(
        _ purchase: OriginalTransactionID,
        app: AppID
    ) async throws(OperationError) -> VerifiedPurchases {
        try await transaction(TransactionID(purchase.rawValue), app: app)
    }

    /// One transaction as Apple signs it now.
    ///
    /// - Throws: ``OperationError`` as ``PurchaseLookup``'s look-ups.
    func transaction(_ id: TransactionID, app: AppID) async throws(OperationError) -> VerifiedPurchases {
        try await answer(about: OriginalTransactionID(id.rawValue), app: app) { queries throws(OperationError) in
            try await queries.transaction()
        }
    }

    private func answer(
        about purchase: OriginalTransactionID,
        app: AppID,
        _ ask: @escaping @Sendable (PurchaseQueries) async throws(OperationError) -> SignedPurchases
    ) async throws(OperationError) -> VerifiedPurchases {
        let api = try access.entry(of: app).api
        let queries = PurchaseQueries(api: api, transactionID: purchase.rawValue, parameter: "app_user_id")
        return try await lookups.run(for: app) { () throws(OperationError) in
            try VerifiedPurchases(
                try await ask(queries),
                of: app,
                bundleID: api.bundleId,
                verifier: verifier,
                metrics: metrics,
                time: time
            )
        }
    }
}
