import AppStoreClient
import AppStoreModel
public import AppStoreSigning
public import SubscriptionCore
public import SubscriptionStorage

/// Sets the app account token of a purchase through Apple.
///
/// The audit log has the request before Apple is asked, and what became of it afterwards. The owner follows from what
/// Apple signs then, like from any other signed transaction.
public struct AccountTokenSetting: Sendable {
    /// What a request changed.
    public struct Change: Hashable, Sendable {
        /// The purchase.
        public var purchaseID: OriginalTransactionID
        /// The new token, in lower case.
        public var token: String
        /// The token that the server knew before; nil if there was none.
        public var previousToken: String?
        /// Whether Apple's newest signed transaction has the new token. If not, nothing here has changed yet.
        public var isConfirmed: Bool
        /// The present owner; nil if there is none.
        public var owner: CustomerID?
        /// The owner before; nil if there was none.
        public var previousOwner: CustomerID?
        /// Whether the token names the present owner. A claim or a transfer may outrank it.
        public var namesOwner: Bool
    }

    /// The purchase before the request.
    private struct Start: Sendable {
        let purchase: OriginalTransactionID
        let isSubscription: Bool
        let token: String?
        let owner: CustomerID?
    }

    private let intake: FactIntake
    private let inquiry: StatusInquiry
    private let call: PurchaseCall

    private var database: any SubscriptionDatabase { intake.database }
    private var time: any TimeSource { intake.time }

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - verifier: The verifier with the trusted roots and the configured apps.
    ///   - access: The clients of the App Store Server API.
    public init(
        database: any SubscriptionDatabase,
        verifier: SignedDataVerifier,
        access: AppStoreAccess,
        policy: AccessPolicy,
        time: any TimeSource,
        metrics: IntakeMetrics = IntakeMetrics()
    ) {
        intake = FactIntake(database: database, policy: policy, time: time)
        inquiry = StatusInquiry(verifier: verifier, access: access, metrics: metrics, time: time)
        call = PurchaseCall(access: access)
    }

    /// Has Apple set the token, and stores what Apple signs then. Setting the same token again has no further effect.
    ///
    /// - Parameters:
    ///   - token: A UUID.
    ///   - transaction: The purchase, or any of its transactions.
    /// - Source: App Store Server API, Set App Account Token.
    /// - Throws: ``OperationError``: `app_store_api_not_configured`, `purchase_unknown`; `purchase_family_shared`,
    ///   `purchase_assigned`, `transaction_not_found` or `app_store_refused` if Apple refused it; `app_store_busy`,
    ///   `app_store_rate_limited`, `app_store_unauthorized` or `app_store_unavailable` if it was not set;
    ///   `app_store_answer_lost` if that is not known; or storage's codes.
    public func set(
        _ token: String,
        of transaction: TransactionID,
        app: AppID,
        by who: Operator,
        permit: some RequestPermit = NoRequestPermit()
    ) async throws(OperationError) -> Change {
        let api = try call.api(of: app)
        let token = token.lowercased()
        let start = try await begin(token, of: transaction, app: app, by: who)
        do throws(OperationError) {
            try await permit.released { () throws(OperationError) in
                try await call.make(for: app) { () throws(AppStoreClientError) in
                    _ = try await api.setAppAccountToken(
                        originalTransactionId: start.purchase.rawValue,
                        UpdateAppAccountTokenRequest(appAccountToken: token)
                    )
                }
            }
        } catch {
            try await note(error, token, start, app: app, by: who)
            throw error
        }
        let found = try await permit.released { () throws(OperationError) in await signed(start, app: app) }
        return try await finish(token, start, found, app: app, by: who)
    }

    /// Writes the request into the audit log before Apple is asked.
    private func begin(
        _ token: String,
        of transaction: TransactionID,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> Start {
        let now = time.now()
        let start: Start?
        do {
            start = try await database.write { storage throws(StorageError) in
                guard let id = try storage.purchases(named: transaction, app: app).first else { return nil }
                let record = try storage.purchase(id, of: app)
                var isSubscription = false
                if case .subscription? = record?.state { isSubscription = true }
                let start = Start(
                    purchase: id,
                    isSubscription: isSubscription,
                    token: try storage.ledger(of: id, app: app).accountToken,
                    owner: record?.customerID
                )
                try storage.audit(
                    .accountTokenRequested,
                    .purchase(id),
                    by: who,
                    app: app,
                    at: now,
                    before: start.token.map { AuditedValue(accountToken: $0) },
                    after: AuditedValue(accountToken: token)
                )
                return start
            }
        } catch {
            throw OperationError(error)
        }
        guard let start else { throw .purchaseUnknown }
        return start
    }

    /// Writes into the audit log that the token was not set, or that this is not known.
    private func note(
        _ error: OperationError,
        _ token: String,
        _ start: Start,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) {
        let now = time.now()
        do {
            try await database.write { storage throws(StorageError) in
                try storage.audit(
                    .accountTokenFailed,
                    .purchase(start.purchase),
                    by: who,
                    app: app,
                    at: now,
                    before: start.token.map { AuditedValue(accountToken: $0) },
                    after: AuditedValue(["app_account_token": .string(token), "error": .string(error.code)])
                )
            }
        } catch {
            throw OperationError(error)
        }
    }

    /// What Apple signs about the purchase now; nil without an answer.
    private func signed(_ start: Start, app: AppID) async -> VerifiedPurchases? {
        do throws(OperationError) {
            return start.isSubscription
                ? try await inquiry.subscriptions(of: start.purchase, app: app)
                : try await inquiry.oneTimePurchase(start.purchase, app: app)
        } catch {
            // The token is set. The transaction comes with a later notification, query or copy of the request.
            return nil
        }
    }

    /// Stores what Apple signs now, and the result in the audit log.
    private func finish(
        _ token: String,
        _ start: Start,
        _ found: VerifiedPurchases?,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> Change {
        let inputs = found.map { [$0.input(of: app, claimedBy: nil, by: nil)] } ?? []
        let now = time.now()
        do {
            return try await intake.take(together: inputs) { _, storage throws(StorageError) in
                let owner = try storage.purchase(start.purchase, of: app)?.customerID
                let named = try storage.customerID(for: CustomerID(token), app: app)
                let change = Change(
                    purchaseID: start.purchase,
                    token: token,
                    previousToken: start.token,
                    isConfirmed: try storage.ledger(of: start.purchase, app: app).accountToken == token,
                    owner: owner,
                    previousOwner: start.owner,
                    namesOwner: owner == named
                )
                try storage.audit(
                    .accountTokenSet,
                    .purchase(start.purchase),
                    by: who,
                    app: app,
                    at: now,
                    before: start.token.map { AuditedValue(accountToken: $0) },
                    after: AuditedValue(["app_account_token": .string(token), "confirmed": .bool(change.isConfirmed)])
                )
                return change
            }
        } catch {
            throw OperationError(error)
        }
    }
}

extension AuditedValue {
    fileprivate init(accountToken token: String) { self.init(["app_account_token": .string(token)]) }
}
