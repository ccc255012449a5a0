public import SubscriptionCore

/// An operator's transfer of purchases between customers. It is stored permanently and contains what is needed to undo
/// it.
public struct TransferRecord: Hashable, Sendable {
    /// A purchase that was moved.
    public struct Item: Hashable, Sendable, Codable {
        /// The purchase.
        public var purchaseID: OriginalTransactionID
        /// The basis of the previous owner.
        public var claim: OwnershipBasis?

        /// Makes an item.
        public init(purchaseID: OriginalTransactionID, claim: OwnershipBasis?) {
            self.purchaseID = purchaseID
            self.claim = claim
        }
    }

    /// The transfer.
    public var id: TransferID
    /// The previous owner; nil if there was none or that customer was erased.
    public var from: CustomerID?
    /// The new owner; nil if that customer was erased.
    public var to: CustomerID?
    /// The operator's reason.
    public var reason: String?
    /// The moved purchases, by identifier.
    public var items: [Item]
    /// When it was done.
    public var createdAt: Timestamp
    /// When it was undone.
    public var undoneAt: Timestamp?

    /// Makes a record.
    public init(
        id: TransferID,
        from: CustomerID?,
        to: CustomerID?,
        reason: String?,
        items: [Item],
        createdAt: Timestamp,
        undoneAt: Timestamp? = nil
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.reason = reason
        self.items = items
        self.createdAt = createdAt
        self.undoneAt = undoneAt
    }
}

/// The identifier of a transfer.
public struct TransferID: TextIdentifier {
    /// `tr_` and hexadecimal digits.
    public let rawValue: String
    /// Wraps the text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension TransferRecord: TableRecord {
    fileprivate static let byFrom = TableIndex(
        "transfers_by_from",
        ["from_customer_id"],
        lock: .customer("from_customer_id"),
        step: 2
    )
    fileprivate static let byTo = TableIndex(
        "transfers_by_to",
        ["to_customer_id"],
        lock: .customer("to_customer_id"),
        step: 2
    )
    private static let itemsForm: UInt8 = 1

    /// The table. An empty text means no customer, because no customer has an empty identifier.
    public static let table = TableDescription(
        "transfers",
        columns: [
            .text("transfer_id"), .text("from_customer_id"), .text("to_customer_id"), .text("reason", optional: true),
            .bytes("items"), .integer("created_at"), .integer("undone_at", optional: true),
        ],
        key: ["transfer_id"],
        indexes: [byFrom, byTo],
        lock: .row,
        step: 1
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        var writer = CompactWriter(form: Self.itemsForm)
        writer.write(UInt64(items.count))
        for item in items {
            writer.write(item.purchaseID)
            writer.write(item.claim?.rawValue) { $0.write($1) }
        }
        return [
            .text(id), .string(from?.rawValue ?? ""), .string(to?.rawValue ?? ""), .text(reason), .bytes(writer.bytes),
            .time(createdAt), .time(undoneAt),
        ]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        var reader = try CompactReader(try row.bytes(4))
        guard reader.form == Self.itemsForm else { throw .unreadable("a transfer of form \(reader.form)") }
        var items: [Item] = []
        for _ in 0..<(try reader.count()) {
            let purchase: OriginalTransactionID = try reader.identifier()
            let claim = try reader.optional { reader throws(StorageError) in try reader.text() }
            items.append(Item(purchaseID: purchase, claim: claim.flatMap(OwnershipBasis.init(rawValue:))))
        }
        try reader.finish()
        self.init(
            id: try row.identifier(0),
            from: try row.text(1).isEmpty ? nil : row.identifier(1),
            to: try row.text(2).isEmpty ? nil : row.identifier(2),
            reason: try row.optionalText(3),
            items: items,
            createdAt: try row.time(5),
            undoneAt: try row.optionalTime(6)
        )
    }
}

extension TableReading {
    /// A transfer.
    ///
    /// - Throws: ``StorageError``.
    public func transfer(_ id: TransferID, of app: AppID) throws(StorageError) -> TransferRecord? {
        try row(of: TransferRecord.self, key: [.text(id)], in: app)
    }

    /// The transfers to or from a customer, in order of time.
    ///
    /// - Throws: ``StorageError``.
    public func transfers(of customer: CustomerID, app: AppID) throws(StorageError) -> [TransferRecord] {
        let lookups = [TransferRecord.byFrom, TransferRecord.byTo].map { index in
            TableLookup(of: app, by: index, equal: [.text(customer)])
        }
        let moves = try rows(of: TransferRecord.self, lookups).flatMap(\.self)
        return moves.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }
}

extension TableWriting {
    /// Adds or replaces a transfer.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ transfer: TransferRecord, of app: AppID) throws(StorageError) { try save(transfer, in: app) }
}
