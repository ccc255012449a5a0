#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLTables {
        /// Receipts that apps sent for customers.
        static let receipts = [
            """
            CREATE TABLE receipts (
                app_id \(text) NOT NULL,
                customer_id \(text) NOT NULL,
                receipt_id \(text) NOT NULL,
                received_at BIGINT NOT NULL,
                content BYTEA NOT NULL,
                PRIMARY KEY (app_id, customer_id, receipt_id)
            )
            """,
            // Compressed already: the server need not try.
            "ALTER TABLE receipts ALTER COLUMN content SET STORAGE EXTERNAL",
        ]
    }

    extension PostgreSQLQuery {
        static let receipts = query(
            "receipts",
            "SELECT \(RecordColumns.receipt) FROM receipts WHERE app_id = $1 AND customer_id = $2"
        )
        static let insertReceipt = insertOnce("insertReceipt", "receipts", "app_id, \(RecordColumns.receipt)")
        static let removeReceipts = query(
            "removeReceipts",
            "DELETE FROM receipts WHERE app_id = $1 AND customer_id = $2"
        )
    }

    extension PostgreSQLReading {
        func receipts(of customer: CustomerID, app: AppID) throws(StorageError) -> [ReceiptRecord] {
            try transaction.lock(.customer(customer), of: app)
            let key: [ColumnValue] = [.text(app), .text(customer)]
            return try transaction.rows(PostgreSQLQuery.receipts, key, decode: ReceiptRecord.init(row:)).inOrderOfTime
        }
    }

    extension PostgreSQLWriter {
        func insert(_ receipt: ReceiptRecord, of app: AppID) throws(StorageError) {
            try transaction.lock(.customer(receipt.customerID), of: app)
            try transaction.enqueue(PostgreSQLQuery.insertReceipt, [.text(app)] + receipt.columns)
        }

        func removeReceipts(of customer: CustomerID, app: AppID) throws(StorageError) {
            try transaction.lock(.customer(customer), of: app)
            try transaction.enqueue(PostgreSQLQuery.removeReceipts, [.text(app), .text(customer)])
        }
    }
#endif
