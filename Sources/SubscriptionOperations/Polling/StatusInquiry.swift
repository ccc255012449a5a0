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
        lookups = AppStoreLookups(limits ?? access.limits)
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

    /// All transactions of the purchase's store account, revoked ones included, its refunds, and the renewal record of
    /// every subscription.
    ///
    /// A history that Apple refuses, or of more than 2,000 transactions, is left out.
    ///
    /// - Throws: ``OperationError`` as ``PurchaseLookup``'s look-ups.
    func account(
        of purchase: OriginalTransactionID,
        app: AppID
    ) async throws(OperationError) -> VerifiedPurchases {
        try await answer(about: purchase, app: app) { queries throws(OperationError) in
            var found = try await queries.subscriptions()
            do throws(OperationError) {
                found.merge(try await queries.history())
                found.merge(try await queries.refunds())
            } catch  where error.isAnswer || error.code == "history_too_long" {
                // The current state is still of use.
            }
            return found
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
