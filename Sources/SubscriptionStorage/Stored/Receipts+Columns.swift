import SubscriptionCore

extension RecordColumns {
    /// Of `receipts`, behind the app.
    package static let receipt = "customer_id, receipt_id, received_at, content"
}

extension ReceiptRecord {
    /// The record by columns, behind the app.
    package var columns: [ColumnValue] { [.text(customerID), .text(id), .time(receivedAt), .bytes(content)] }

    /// Reads a row of ``RecordColumns/receipt``.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    package init(row: some ColumnReading) throws(StorageError) {
        self.init(
            id: try row.identifier(1),
            customerID: try row.identifier(0),
            receivedAt: try row.time(2),
            content: try row.bytes(3)
        )
    }
}

extension [ReceiptRecord] {
    /// In order of time.
    package var inOrderOfTime: [ReceiptRecord] {
        sorted { ($0.receivedAt, $0.id) < ($1.receivedAt, $1.id) }
    }
}
