import SubscriptionCore
import SubscriptionStorage

extension SQLiteTables {
    /// Sold products, the list of products, transactions by their own identifier, and labels of keys.
    static let products =
        SQLDialect.sqlite.definitions(of: SoldProduct.table, step: 4) + [
            """
            INSERT OR IGNORE INTO sold_products (app_id, product_id, kind, group_id)
            SELECT app_id, product_id, kind, group_id FROM transaction_facts GROUP BY app_id, product_id
            """
        ] + SQLDialect.sqlite.definitions(of: ListedProduct.table, step: 4) + [
            // The first transaction has the identifier of its purchase and needs no row.
            """
            CREATE INDEX transaction_facts_by_id ON transaction_facts (app_id, transaction_id)
            WHERE transaction_id <> original_transaction_id
            """
        ] + SQLDialect.sqlite.definitions(of: APIKeyRecord.table, step: 4)
}

extension SQLiteQuery {
    /// The purchases of a transaction that is not the first.
    package static let purchasesOfTransaction: SQLiteStatement = """
        SELECT original_transaction_id FROM transaction_ids
        WHERE app_id = ? AND transaction_id = ? ORDER BY original_transaction_id
        """
    /// A page of the index of transactions, in the order of its primary key.
    package static let indexedTransactions: SQLiteStatement = """
        SELECT transaction_id, original_transaction_id FROM transaction_ids
        WHERE app_id = ? AND (transaction_id, original_transaction_id) > (?, ?)
        ORDER BY transaction_id, original_transaction_id LIMIT ?
        """
}

extension SQLiteReading {
    func purchases(with transaction: TransactionID, app: AppID) throws(StorageError) -> [OriginalTransactionID] {
        let key: [ColumnValue] = [.text(app), .text(transaction)]
        return try connection.rows(SQLiteQuery.purchasesOfTransaction, key) { row in try row.identifier(0) }
    }

    func indexedTransactions(
        of app: AppID,
        after entry: IndexedTransaction?,
        limit: Int
    ) throws(StorageError) -> [IndexedTransaction] {
        // No identifier is empty, so empty texts come before all of them.
        let values: [ColumnValue] = [
            .text(app), .text(entry?.id ?? TransactionID("")),
            .text(entry?.purchaseID ?? OriginalTransactionID("")), .integer(max(0, limit)),
        ]
        return try connection.rows(SQLiteQuery.indexedTransactions, values, decode: IndexedTransaction.init(row:))
    }
}

extension SQLiteWriter {
    func insert(_ entry: IndexedTransaction, of app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.noteTransaction, [.text(app), .text(entry.id), .text(entry.purchaseID)])
    }

    func remove(_ entry: IndexedTransaction, of app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.removeTransaction, [.text(app), .text(entry.purchaseID), .text(entry.id)])
    }
}
