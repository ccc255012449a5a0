public import SubscriptionCore

extension Refund: TableRecord {
    fileprivate static let byTime = TableIndex("refunds_by_time", ["refunded_at", "transaction_id", "purchase_id"])
    fileprivate static let byProduct = TableIndex(
        "refunds_by_product",
        ["product_id", "refunded_at", "transaction_id", "purchase_id"]
    )

    /// The table. It has no customer: the owner of the purchase is looked up for each response. Writes lock the
    /// purchase, as the facts of a purchase do.
    public static let table = TableDescription(
        "refunds",
        columns: [
            .text("transaction_id"), .text("purchase_id"), .text("product_id"), .text("storefront", optional: true),
            .integer("purchased_at"), .integer("price", optional: true), .text("currency", optional: true),
            .integer("refunded_at"), .text("type"), .integer("reason", optional: true),
            .integer("percentage", optional: true), .integer("stated_at"), .integer("reversed_at", optional: true),
        ],
        key: ["purchase_id", "transaction_id"],
        indexes: [byTime, byProduct],
        lock: .purchase("purchase_id"),
        isOftenEmpty: true,
        step: 21
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [
            .text(transactionID), .text(purchaseID), .text(productID), .text(storefront), .time(purchasedAt),
            .integer(price?.milliunits), .text(price?.currency), .time(refundedAt), .text(revocation.kind),
            .integer(revocation.reason), .integer(revocation.percentage), .time(statedAt), .time(reversedAt),
        ]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            transactionID: try row.identifier(0),
            purchaseID: try row.identifier(1),
            productID: try row.identifier(2),
            purchasedAt: try row.time(4),
            revocation: Revocation(
                at: try row.time(7),
                kind: try row.choice(8),
                reason: try row.optionalCount(9),
                percentage: try row.optionalCount(10)
            ),
            statedAt: try row.time(11)
        )
        storefront = try row.optionalText(3)
        price = try row.optionalMoney(5)
        reversedAt = try row.optionalTime(12)
    }
}

extension TableReading {
    /// The refunds of a selection, newest first.
    ///
    /// - Throws: ``StorageError``.
    public func refunds(
        _ selection: RefundSelection,
        of app: AppID,
        limit: Int
    ) throws(StorageError) -> [Refund] {
        let lookup = TableLookup(
            of: app,
            by: selection.productID == nil ? Refund.byTime : Refund.byProduct,
            equal: selection.productID.map { [.text($0)] } ?? [],
            after: selection.after,
            through: selection.from.map { .time($0) },
            order: .descending,
            limit: limit
        )
        return try rows(of: Refund.self, lookup)
    }

    /// The refunds of a purchase and the requests for them. In a write, the purchase is locked.
    ///
    /// - Throws: ``StorageError``.
    public func refunds(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> PurchaseRefunds {
        let lookup = TableLookup(of: app, equal: [.text(purchase)])
        return PurchaseRefunds(
            refunds: try rows(of: Refund.self, lookup),
            requests: try rows(of: RequestedRefund.self, lookup)
        )
    }

    /// The refunds of several purchases and the requests for them, in the same order.
    ///
    /// - Throws: ``StorageError``.
    public func refunds(
        of purchases: [OriginalTransactionID],
        app: AppID
    ) throws(StorageError) -> [PurchaseRefunds] {
        let lookups = purchases.map { TableLookup(of: app, equal: [.text($0)]) }
        let refunds = try rows(of: Refund.self, lookups)
        let requests = try rows(of: RequestedRefund.self, lookups)
        return zip(refunds, requests).map { PurchaseRefunds(refunds: $0, requests: $1) }
    }

    /// The refunds of the purchases after one, up to and including another, and the requests for them, by purchase.
    ///
    /// - Throws: ``StorageError``.
    package func refunds(
        ofPurchasesAfter first: OriginalTransactionID?,
        through last: OriginalTransactionID,
        app: AppID
    ) throws(StorageError) -> [OriginalTransactionID: PurchaseRefunds] {
        let lookup = TableLookup(of: app, after: first.map { [.text($0)] } ?? [], through: .text(last))
        let refunds = Dictionary(grouping: try rows(of: Refund.self, lookup), by: \.purchaseID)
        let requests = Dictionary(grouping: try rows(of: RequestedRefund.self, lookup), by: \.purchaseID)
        var found: [OriginalTransactionID: PurchaseRefunds] = [:]
        for purchase in Set(refunds.keys).union(requests.keys) {
            found[purchase] = PurchaseRefunds(refunds: refunds[purchase] ?? [], requests: requests[purchase] ?? [])
        }
        return found
    }
}

extension TableWriting {
    /// Adds or replaces a refund.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ refund: Refund, of app: AppID) throws(StorageError) { try save(refund, in: app) }

    /// Joins a request with what is stored about its transaction.
    ///
    /// - Throws: ``StorageError``.
    public func join(_ request: RequestedRefund, of app: AppID) throws(StorageError) {
        let key: [ColumnValue] = [.text(request.purchaseID), .text(request.transactionID)]
        guard let stored = try row(of: RequestedRefund.self, key: key, in: app) else {
            return try save(request, in: app)
        }
        var joined = stored
        joined.join(request)
        if joined != stored { try save(joined, in: app) }
    }

    /// Replaces the refunds of a purchase and the requests for them.
    ///
    /// - Throws: ``StorageError``.
    public func replaceRefunds(
        of purchase: OriginalTransactionID,
        by next: PurchaseRefunds,
        app: AppID
    ) throws(StorageError) {
        let stored = try refunds(of: purchase, app: app)
        guard stored != next else { return }
        let whole = TableLookup(of: app, equal: [.text(purchase)])
        if stored.refunds != next.refunds {
            try remove(Refund.self, whole)
            for refund in next.refunds { try save(refund, in: app) }
        }
        if stored.requests != next.requests {
            try remove(RequestedRefund.self, whole)
            for request in next.requests { try save(request, in: app) }
        }
    }
}
