import SubscriptionCore
import SubscriptionStorage

extension SQLiteTables {
    /// Receipts that apps sent for customers.
    static let receipts = [
        """
        CREATE TABLE receipts (
            app_id TEXT NOT NULL,
            customer_id TEXT NOT NULL,
            receipt_id TEXT NOT NULL,
            received_at INTEGER NOT NULL,
            content BLOB NOT NULL,
            PRIMARY KEY (app_id, customer_id, receipt_id)
        ) STRICT
        """
    ]
}

extension SQLiteQuery {
    /// A customer's receipts.
    package static let receipts: SQLiteStatement = """
        SELECT \(RecordColumns.receipt) FROM receipts WHERE app_id = ? AND customer_id = ?
        """
    static let insertReceipt: SQLiteStatement = """
        INSERT OR IGNORE INTO receipts (app_id, \(RecordColumns.receipt)) VALUES (?, ?, ?, ?, ?)
        """
    static let removeReceipts: SQLiteStatement = "DELETE FROM receipts WHERE app_id = ? AND customer_id = ?"
}

extension SQLiteReading {
    func receipts(of customer: CustomerID, app: AppID) throws(StorageError) -> [ReceiptRecord] {
        let key: [ColumnValue] = [.text(app), .text(customer)]
        return try connection.rows(SQLiteQuery.receipts, key, decode: ReceiptRecord.init(row:)).inOrderOfTime
    }
}

extension SQLiteWriter {
    func insert(_ receipt: ReceiptRecord, of app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.insertReceipt, [.text(app)] + receipt.columns)
    }

    func removeReceipts(of customer: CustomerID, app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.removeReceipts, [.text(app), .text(customer)])
    }
}
