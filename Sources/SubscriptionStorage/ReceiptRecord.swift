public import SubscriptionCore

/// A receipt that an app sent for a customer: a signed input, kept with the customer and erased with the customer.
///
/// It is no evidence of a purchase's state, which may have changed since it was signed. It is kept because it
/// identified the customer's purchases.
public struct ReceiptRecord: Hashable, Sendable {
    /// The key under which a second copy is recognised: `receipt:<digest of the text>`.
    public var id: EvidenceID
    /// The customer it was sent for, by the identifier that the app used.
    public var customerID: CustomerID
    /// When the server took it.
    public var receivedAt: Timestamp
    /// The receipt, in the compressed form that `SubscriptionOperations` gives it.
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
    /// The receipts of a customer lie together.
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
    /// - Throws: ``StorageError`` with `storage_corrupt` where a value is not what was written.
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
    /// The receipts that were sent for a customer under an identifier, in order of time.
    ///
    /// - Throws: ``StorageError``.
    public func receipts(of customer: CustomerID, app: AppID) throws(StorageError) -> [ReceiptRecord] {
        let held = try rows(of: ReceiptRecord.self, TableLookup(of: app, equal: [.text(customer)]))
        return held.sorted { ($0.receivedAt, $0.id) < ($1.receivedAt, $1.id) }
    }
}

extension TableWriting {
    /// Keeps a receipt; the same one of the same customer a second time changes nothing.
    ///
    /// - Throws: ``StorageError``.
    public func insert(_ receipt: ReceiptRecord, of app: AppID) throws(StorageError) {
        try insert(once: receipt, in: app)
    }

    /// Forgets a customer's receipts.
    ///
    /// - Throws: ``StorageError``.
    public func removeReceipts(of customer: CustomerID, app: AppID) throws(StorageError) {
        try remove(ReceiptRecord.self, TableLookup(of: app, equal: [.text(customer)]))
    }
}
