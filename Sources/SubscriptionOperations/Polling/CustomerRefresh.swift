public import AppStoreSigning
public import SubscriptionCore
public import SubscriptionStorage

/// Asks Apple about all purchases of one customer, now.
public struct CustomerRefresh: Sendable {
    /// The number of queries of one refresh. A customer has rarely more than one store account.
    private static let queriesMax = 20
    /// The number of store accounts whose refunds one refresh asks for.
    private static let refundHistoriesMax = 5

    private let intake: FactIntake
    private let inquiry: StatusInquiry
    private let access: AppStoreAccess

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
        self.access = access
    }

    /// Asks about the customer's subscriptions and one-time purchases and stores what Apple signs. Nobody's ownership
    /// changes by it, except where Apple's answer itself names an owner.
    ///
    /// One query covers all subscriptions of a store account. A purchase that Apple does not know is skipped. After 20
    /// queries the rest is left as it is, oldest purchases last. The refunds of the first five store accounts are asked
    /// for too, after all statuses. A refund history that Apple refuses, or of more than 2,000 transactions, is left
    /// out.
    ///
    /// - Returns: The number of purchases that were not asked about, because 20 queries did not cover them.
    /// - Throws: ``OperationError`` `customer_not_found`, `app_store_api_not_configured`, `app_store_unavailable`,
    ///   `app_store_unauthorized`, `app_store_busy`, the verifier's code, or storage's codes. What was stored before
    ///   stays.
    public func refresh(
        _ name: CustomerID,
        app: AppID,
        permit: some RequestPermit = NoRequestPermit()
    ) async throws(OperationError) -> Int {
        let purchases = try await purchases(of: name, app: app)
        _ = try access.entry(of: app)
        var hasStored = false
        do throws(OperationError) {
            return try await refresh(purchases, app: app, permit: permit, hasStored: &hasStored)
        } catch {
            throw hasStored ? error.afterStoredAnswers : error
        }
    }

    /// - Parameter hasStored: Set when an answer is stored.
    private func refresh(
        _ purchases: [(state: PurchaseState, account: String)],
        app: AppID,
        permit: some RequestPermit,
        hasStored: inout Bool
    ) async throws(OperationError) -> Int {
        var done: Set<OriginalTransactionID> = []
        // One history has the refunds of all purchases of a store account.
        var histories: [(account: String, purchase: OriginalTransactionID)] = []
        var queries = 0
        var leftOut: Set<OriginalTransactionID> = []
        for (purchase, account) in purchases where !done.contains(purchase.id) {
            guard queries < Self.queriesMax else {
                leftOut.insert(purchase.id)
                continue
            }
            queries += 1
            do throws(OperationError) {
                let found = try await permit.released { () throws(OperationError) in
                    try await ask(about: purchase, app: app)
                }
                done.formUnion(found.purchases)
                try await store(found, app: app)
                hasStored = true
            } catch  where error.code == "transaction_not_found" {
                continue
            }
            if histories.allSatisfy({ $0.account != account }) { histories.append((account, purchase.id)) }
        }
        for (_, purchase) in histories.prefix(Self.refundHistoriesMax) {
            do throws(OperationError) {
                let found = try await permit.released { () throws(OperationError) in
                    try await inquiry.refunds(of: purchase, app: app)
                }
                try await store(found, app: app)
                hasStored = true
            } catch  where error.isAnswer || error.code == "history_too_long" {
                continue
            }
        }
        return leftOut.count
    }

    /// The customer's purchases, each with its store account, newest first; subscriptions before one-time purchases.
    ///
    /// A purchase without a known store account stands for one of its own.
    private func purchases(
        of name: CustomerID,
        app: AppID
    ) async throws(OperationError) -> [(state: PurchaseState, account: String)] {
        let records: [PurchaseRecord]?
        do {
            records = try await intake.database.read { storage throws(StorageError) in
                guard let customer = try storage.customer(named: name, of: app) else { return nil }
                return try storage.purchases(of: customer.id, app: app)
            }
        } catch {
            throw OperationError(error)
        }
        guard let records else { throw .customerNotFound }
        var purchases: [(state: PurchaseState, account: String)] = []
        for record in records {
            guard let state = record.state else { continue }
            purchases.append((state, record.appTransactionID ?? "purchase \(record.id)"))
        }
        return purchases.sorted { ($0.state.rank, $0.state.startsAt) > ($1.state.rank, $1.state.startsAt) }
    }

    private func ask(about purchase: PurchaseState, app: AppID) async throws(OperationError) -> VerifiedPurchases {
        switch purchase {
        case .subscription: try await inquiry.subscriptions(of: purchase.id, app: app)
        case .oneTime: try await inquiry.oneTimePurchase(purchase.id, app: app)
        }
    }

    private func store(_ found: VerifiedPurchases, app: AppID) async throws(OperationError) {
        do {
            _ = try await intake.take(found.input(of: app, claimedBy: nil, by: nil))
        } catch {
            throw OperationError(error)
        }
    }
}

extension OperationError {
    /// The same error after earlier answers of the same request were stored.
    fileprivate var afterStoredAnswers: OperationError {
        var error = self
        error.message = message.replacing("Nothing was changed", with: "What it had answered before is stored")
        return error
    }
}

extension PurchaseState {
    fileprivate var rank: Int {
        switch self {
        case .subscription: 1
        case .oneTime: 0
        }
    }

    fileprivate var startsAt: Timestamp {
        switch self {
        case .subscription(let state): state.periodStartsAt
        case .oneTime(let state): state.purchasedAt
        }
    }
}
