public import SubscriptionCore
public import SubscriptionStorage

/// A purchase at an instant, and who has it.
public struct PurchaseView: Hashable, Sendable {
    /// The purchase.
    public var id: OriginalTransactionID
    /// The customer; nil while nobody claimed it.
    public var owner: CustomerID?
    /// Customers who have it too, because it is shared.
    public var sharers: [CustomerID]
    /// Where it stands; nil while no transaction is known.
    public var state: PurchaseState?
    /// The store's account that made it, where a transaction names one.
    public var appTransactionID: String?
    /// Its transactions, in order of purchase.
    public var transactions: [TransactionFact]
    /// The instant at which it was evaluated.
    public var evaluatedAt: Timestamp
}

/// Finds purchases and customers by what support has in hand: an identifier of a transaction, an order, another
/// identifier of the customer. Looking up creates nothing.
public struct PurchaseReading: Sendable {
    /// How many customers one look-up names at most.
    public static let customersMax = 100

    /// Customers, and whether there are more than are named.
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

    /// Who has a purchase with a transaction.
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

    /// Who has any of several purchases.
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

    /// The customer whom an identifier stands for, as an alias or as the customer's own.
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
    /// The purchases that an identifier names: their own, or that of one of their transactions.
    fileprivate func purchases(named id: TransactionID, app: AppID) throws(StorageError) -> [OriginalTransactionID] {
        let original = OriginalTransactionID(id.rawValue)
        if try purchase(original, of: app) != nil { return [original] }
        return try purchases(with: id, app: app)
    }

    /// Who has any of several purchases, owners before sharers.
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
    fileprivate static let purchaseUnknown = OperationError(
        "purchase_unknown",
        "No purchase with this transaction is known in this app and environment. Check the id and the "
            + "environment of your"
            + " key, or take the purchase in with POST /v1/transactions and transaction_id.",
        kind: .notFound,
        parameter: "id"
    )
}
