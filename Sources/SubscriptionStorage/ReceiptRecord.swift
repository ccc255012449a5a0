public import SubscriptionCore

/// A receipt that an app sent for a customer: a signed input that is erased with the customer.
///
/// It is not evidence of a purchase's state, which may have changed since. It is stored because it identified the
/// customer's purchases.
public struct ReceiptRecord: Hashable, Sendable {
    /// The key, `receipt:<digest of the text>`; a second copy has the same key.
    public var id: EvidenceID
    /// The customer it was sent for, by the identifier that the app used.
    public var customerID: CustomerID
    /// When the server received it.
    public var receivedAt: Timestamp
    /// The receipt, compressed by `SubscriptionOperations`.
    public var content: [UInt8]

    /// Makes a record.
    public init(id: EvidenceID, customerID: CustomerID, receivedAt: Timestamp, content: [UInt8]) {
        self.id = id
        self.customerID = customerID
        self.receivedAt = receivedAt
        self.content = content
    }
}

extension ReceiptRecord: TableRecord {
    /// The table, ordered by customer.
    public static let table = TableDescription(
        "receipts",
        columns: [
            .text("customer_id"), .text("receipt_id"), .integer("received_at"), .bytes("content", compressed: true),
        ],
        key: ["customer_id", "receipt_id"],
        lock: .customer("customer_id"),
        step: 10
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] { [.text(customerID), .text(id), .time(receivedAt), .bytes(content)] }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            id: try row.identifier(1),
            customerID: try row.identifier(0),
            receivedAt: try row.time(2),
            content: try row.bytes(3)
        )
    }
}

extension TableReading {
    /// The receipts of an identifier, in order of time.
    ///
    /// - Throws: ``StorageError``.
    public func receipts(of customer: CustomerID, app: AppID) throws(StorageError) -> [ReceiptRecord] {
        let receipts = try rows(of: ReceiptRecord.self, TableLookup(of: app, equal: [.text(customer)]))
        return receipts.sorted { ($0.receivedAt, $0.id) < ($1.receivedAt, $1.id) }
    }
}

extension TableWriting {
    /// Stores a receipt; does nothing if the customer already has it.
    ///
    /// - Throws: ``StorageError``.
    public func insert(_ receipt: ReceiptRecord, of app: AppID) throws(StorageError) {
        try insert(once: receipt, in: app)
    }

    /// Removes a customer's receipts.
    ///
    /// - Throws: ``StorageError``.
    public func removeReceipts(of customer: CustomerID, app: AppID) throws(StorageError) {
        try remove(ReceiptRecord.self, TableLookup(of: app, equal: [.text(customer)]))
    }
}
