public import SubscriptionCore
public import SubscriptionStorage

/// Reads refunds: lists of them, and what one customer's refunds look like together.
public struct RefundReading: Sendable {
    /// A refund with what is looked up for it.
    public struct Entry: Hashable, Sendable {
        /// The refund.
        public var refund: Refund
        /// The customer's request for it; nil if none is known.
        public var request: RequestedRefund?
        /// The owner of the purchase now; nil if there is none, or if the stored purchase cannot be read.
        public var owner: CustomerID?
        /// Whether the stored purchase cannot be read.
        public var isOwnerUnreadable = false
    }

    /// A page of a list.
    public struct Page: Hashable, Sendable {
        /// The refunds, newest first.
        public var entries: [Entry]
        /// Whether there are more.
        public var hasMore: Bool
    }

    private let database: any SubscriptionDatabase

    /// Makes the use case.
    public init(database: any SubscriptionDatabase) {
        self.database = database
    }

    /// A page of refunds, newest first.
    ///
    /// - Parameter name: Only the purchases that this customer owns; nil for all purchases.
    /// - Throws: ``OperationError`` with storage's codes.
    public func refunds(
        _ selection: RefundSelection,
        of name: CustomerID? = nil,
        app: AppID,
        limit: Int
    ) async throws(OperationError) -> Page {
        do {
            return try await database.read { storage throws(StorageError) in
                var found: [Refund]
                if let name {
                    guard let customer = try storage.customer(named: name, of: app) else {
                        return Page(entries: [], hasMore: false)
                    }
                    found = try storage.refunds(selection, ofPurchasesOf: customer.id, app: app, limit: limit + 1)
                } else {
                    found = try storage.refunds(selection, of: app, limit: limit + 1)
                }
                let hasMore = found.count > limit
                if hasMore { found.removeLast() }
                return Page(entries: try storage.entries(of: found, app: app), hasMore: hasMore)
            }
        } catch {
            throw OperationError(error)
        }
    }

    /// The refunds of a customer over all purchases that the customer owns.
    ///
    /// - Throws: ``OperationError`` `customer_not_found`, or storage's codes.
    public func pattern(of name: CustomerID, app: AppID) async throws(OperationError) -> RefundPattern {
        let pattern: RefundPattern?
        do {
            pattern = try await database.read { storage throws(StorageError) in
                guard let customer = try storage.customer(named: name, of: app) else { return nil }
                let purchases = try storage.ownPurchases(of: customer.id, app: app)
                var charges = 0
                try storage.forEachLedger(of: purchases, app: app) { charges += $0.paidChargeCount }
                return RefundPattern(
                    of: customer.id,
                    purchases: purchases.count,
                    charges: charges,
                    refunds: try storage.refunds(of: purchases, app: app)
                )
            }
        } catch {
            throw OperationError(error)
        }
        guard let pattern else { throw .customerNotFound }
        return pattern
    }
}

extension StorageReading {
    /// The purchases that a customer owns, without those that others share with the customer.
    func ownPurchases(
        of customer: CustomerID,
        app: AppID
    ) throws(StorageError) -> [OriginalTransactionID] {
        try purchases(of: customer, app: app).filter { $0.customerID == customer }.map(\.id)
    }

    /// The refunds of a customer's purchases, newest first.
    fileprivate func refunds(
        _ selection: RefundSelection,
        ofPurchasesOf customer: CustomerID,
        app: AppID,
        limit: Int
    ) throws(StorageError) -> [Refund] {
        let all = try refunds(of: try ownPurchases(of: customer, app: app), app: app).flatMap(\.refunds)
        return Array(
            all.filter(selection.contains)
                .sorted { RefundSelection.Position($1) < RefundSelection.Position($0) }
                .prefix(limit)
        )
    }

    /// Adds the owner and the request to each refund.
    fileprivate func entries(of refunds: [Refund], app: AppID) throws(StorageError) -> [RefundReading.Entry] {
        let purchases = Set(refunds.map(\.purchaseID)).sorted()
        var owners: [OriginalTransactionID: CustomerID] = [:]
        var unreadable: Set<OriginalTransactionID> = []
        for purchase in purchases {
            do throws(StorageError) {
                owners[purchase] = try self.purchase(purchase, of: app)?.customerID
            } catch {
                guard error.code == .corrupt else { throw error }
                unreadable.insert(purchase)
            }
        }
        let requests = try requestedRefunds(of: purchases, app: app).joined()
        return refunds.map { refund in
            RefundReading.Entry(
                refund: refund,
                request: requests.first {
                    $0.purchaseID == refund.purchaseID && $0.transactionID == refund.transactionID
                },
                owner: owners[refund.purchaseID],
                isOwnerUnreadable: unreadable.contains(refund.purchaseID)
            )
        }
    }
}
