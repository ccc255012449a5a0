import AppStoreClient
import AppStoreModel
public import SubscriptionCore
public import SubscriptionStorage

/// Finishes a transaction through Apple, as an app does after it delivered the purchase.
///
/// The audit log has the request before Apple is asked, and what became of it afterwards. Nothing else is stored: a
/// finished transaction has the same signed content.
public struct TransactionFinishing: Sendable {
    private let database: any SubscriptionDatabase
    private let call: PurchaseCall
    private let time: any TimeSource

    /// Makes the use case.
    ///
    /// - Parameter access: The clients of the App Store Server API.
    public init(database: any SubscriptionDatabase, access: AppStoreAccess, time: any TimeSource) {
        self.database = database
        self.time = time
        call = PurchaseCall(access: access)
    }

    /// Has Apple finish a transaction. Finishing it again has no further effect.
    ///
    /// - Returns: The purchase of the transaction.
    /// - Source: App Store Server API, Finish Transaction. Unverified: Apple does not document that it may be repeated.
    /// - Throws: ``OperationError``: `app_store_api_not_configured`, `purchase_unknown`; `transaction_not_found` or
    ///   `app_store_refused` if Apple refused it; `app_store_busy`, `app_store_rate_limited`, `app_store_unauthorized`
    ///   or `app_store_unavailable` if it was not finished; `app_store_answer_lost` if that is not known; or storage's
    ///   codes.
    public func finish(
        _ transaction: TransactionID,
        app: AppID,
        by who: Operator,
        permit: some RequestPermit = NoRequestPermit()
    ) async throws(OperationError) -> OriginalTransactionID {
        let api = try call.api(of: app)
        let purchase = try await begin(transaction, app: app, by: who)
        do throws(OperationError) {
            try await permit.released { () throws(OperationError) in
                try await call.make(for: app) { () throws(AppStoreClientError) in
                    _ = try await api.finishTransaction(transactionId: transaction.rawValue)
                }
            }
        } catch {
            try await note(.finishFailed, transaction, of: purchase, error: error.code, app: app, by: who)
            throw error
        }
        try await note(.transactionFinished, transaction, of: purchase, app: app, by: who)
        return purchase
    }

    /// Writes the request into the audit log before Apple is asked.
    private func begin(
        _ transaction: TransactionID,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> OriginalTransactionID {
        let now = time.now()
        let purchase: OriginalTransactionID?
        do {
            purchase = try await database.write { storage throws(StorageError) in
                guard let id = try storage.purchases(named: transaction, app: app).first else { return nil }
                let after = AuditedValue(["transaction_id": .string(transaction.rawValue)])
                try storage.audit(.finishRequested, .purchase(id), by: who, app: app, at: now, after: after)
                return id
            }
        } catch {
            throw OperationError(error)
        }
        guard let purchase else { throw .purchaseUnknown }
        return purchase
    }

    /// Writes the result into the audit log.
    private func note(
        _ action: AuditedAction,
        _ transaction: TransactionID,
        of purchase: OriginalTransactionID,
        error code: String? = nil,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) {
        let now = time.now()
        let after = AuditedValue([
            "transaction_id": .string(transaction.rawValue), "error": code.map { .string($0) },
        ])
        do {
            try await database.write { storage throws(StorageError) in
                try storage.audit(action, .purchase(purchase), by: who, app: app, at: now, after: after)
            }
        } catch {
            throw OperationError(error)
        }
    }
}
