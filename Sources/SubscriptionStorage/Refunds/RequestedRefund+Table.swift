public import SubscriptionCore

extension RequestedRefund: TableRecord {
    /// The table. Writes lock the purchase, as the facts of a purchase do.
    public static let table = TableDescription(
        "requested_refunds",
        columns: [
            .text("transaction_id"), .text("purchase_id"), .integer("requested_at", optional: true),
            .text("reason", optional: true), .integer("declined_at", optional: true),
        ],
        key: ["purchase_id", "transaction_id"],
        lock: .purchase("purchase_id"),
        isOftenEmpty: true,
        step: 21
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [.text(transactionID), .text(purchaseID), .time(requestedAt), .text(reason), .time(declinedAt)]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            transactionID: try row.identifier(0),
            purchaseID: try row.identifier(1),
            requestedAt: try row.optionalTime(2),
            reason: try row.optionalText(3),
            declinedAt: try row.optionalTime(4)
        )
    }
}

extension TableReading {
    /// The refund requests of several purchases, in the same order.
    ///
    /// - Throws: ``StorageError``.
    public func requestedRefunds(
        of purchases: [OriginalTransactionID],
        app: AppID
    ) throws(StorageError) -> [[RequestedRefund]] {
        try rows(of: RequestedRefund.self, purchases.map { TableLookup(of: app, equal: [.text($0)]) })
    }
}
