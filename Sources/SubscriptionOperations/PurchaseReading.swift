public import SubscriptionCore
public import SubscriptionStorage

/// A purchase at a time, with its customers.
public struct PurchaseView: Hashable, Sendable {
    /// The purchase.
    public var id: OriginalTransactionID
    /// The owner; nil if there is none.
    public var owner: CustomerID?
    /// The customers with whom it is shared.
    public var sharers: [CustomerID]
    /// Its state; nil if no transaction is known.
    public var state: PurchaseState?
    /// The app transaction identifier, if a transaction has one.
    public var appTransactionID: String?
    /// Its transactions, in order of purchase.
    public var transactions: [TransactionFact]
    /// The time of the evaluation.
    public var evaluatedAt: Timestamp
}

/// Finds purchases and customers by a transaction, an order or an alias. It writes nothing.
public struct PurchaseReading: Sendable {
    /// The maximum number of customers in a result.
    public static let customersMax = 100

    /// The found customers.
    public struct Found: Hashable, Sendable {
        /// The customers' own identifiers, in order.
        public var customers: [CustomerID]
        /// Whether there are more.
        public var hasMore: Bool
    }

    private let database: any SubscriptionDatabase
    private let policy: AccessPolicy
    private let time: any TimeSource

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, policy: AccessPolicy, time: any TimeSource) {
        self.database = database
        self.policy = policy
        self.time = time
    }

    /// A purchase by its own identifier, or by that of any of its transactions.
    ///
    /// - Throws: ``OperationError`` `purchase_unknown`, or storage's codes.
    public func purchase(_ id: TransactionID, of app: AppID) async throws(OperationError) -> PurchaseView {
        let now = time.now()
        let view: PurchaseView?
        do {
            view = try await database.read { [policy] storage throws(StorageError) in
                guard let purchase = try storage.purchases(named: id, app: app).first else { return nil }
                return try storage.view(of: purchase, app: app, now: now, policy: policy)
            }
        } catch {
            throw OperationError(error)
        }
        guard let view else { throw .purchaseUnknown }
        return view
    }

    /// The customers of the purchase with a transaction.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func holders(of transaction: TransactionID, app: AppID) async throws(OperationError) -> Found {
        do {
            return try await database.read { storage throws(StorageError) in
                try storage.holders(of: storage.purchases(named: transaction, app: app), app: app)
            }
        } catch {
            throw OperationError(error)
        }
    }

    /// The customers of any of several purchases.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func holders(
        of purchases: Set<OriginalTransactionID>,
        app: AppID
    ) async throws(OperationError) -> Found {
        do {
            return try await database.read { storage throws(StorageError) in
                try storage.holders(of: purchases.sorted(), app: app)
            }
        } catch {
            throw OperationError(error)
        }
    }

    /// The customer with an identifier or alias.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func customer(named name: CustomerID, app: AppID) async throws(OperationError) -> Found {
        do {
            return try await database.read { storage throws(StorageError) in
                let customer = try storage.customer(named: name, of: app)
                return Found(customers: [customer?.id].compactMap(\.self), hasMore: false)
            }
        } catch {
            throw OperationError(error)
        }
    }
}

extension StorageReading {
    /// The purchases with an identifier, of their own or of one of their transactions.
    func purchases(named id: TransactionID, app: AppID) throws(StorageError) -> [OriginalTransactionID] {
        let original = OriginalTransactionID(id.rawValue)
        if try purchase(original, of: app) != nil { return [original] }
        return try purchases(with: id, app: app)
    }

    /// The customers of any of several purchases, owners before sharers.
    fileprivate func holders(
        of purchases: [OriginalTransactionID],
        app: AppID
    ) throws(StorageError) -> PurchaseReading.Found {
        var found: [CustomerID] = []
        for purchase in purchases {
            guard let record = try self.purchase(purchase, of: app) else { continue }
            let holders = [record.customerID].compactMap(\.self) + (try sharers(of: purchase, app: app))
            for holder in holders where !found.contains(holder) {
                guard found.count < PurchaseReading.customersMax else { return .init(customers: found, hasMore: true) }
                found.append(holder)
            }
        }
        return .init(customers: found, hasMore: false)
    }

    fileprivate func view(
        of id: OriginalTransactionID,
        app: AppID,
        now: Timestamp,
        policy: AccessPolicy
    ) throws(StorageError) -> PurchaseView? {
        guard let record = try purchase(id, of: app) else { return nil }
        let ledger = try ledger(of: id, app: app)
        let rule = EntitlementRule(definitions: try entitlementDefinitions(of: app))
        return PurchaseView(
            id: id,
            owner: record.customerID,
            sharers: try sharers(of: id, app: app).filter { $0 != record.customerID },
            state: ledger.state(at: now, policy: policy).map { rule.timed($0, at: now) },
            appTransactionID: record.appTransactionID,
            transactions: ledger.timeline,
            evaluatedAt: now
        )
    }
}

extension OperationError {
    /// No known purchase has the transaction.
    static let purchaseUnknown = OperationError(
        "purchase_unknown",
        "No purchase with this transaction is known in this app and environment. Check the id and the "
            + "environment of your"
            + " key, or submit the purchase with POST /v1/transactions and transaction_id.",
        kind: .notFound,
        parameter: "id"
    )
}
