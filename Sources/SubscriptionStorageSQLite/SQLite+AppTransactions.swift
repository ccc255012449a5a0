import SubscriptionCore
import SubscriptionStorage

extension SQLiteTables {
    /// The app transaction identifier of a purchase, from the newest transaction that has one.
    static let appTransactions = [
        "ALTER TABLE purchases ADD COLUMN app_transaction_id TEXT",
        """
        UPDATE purchases SET app_transaction_id = (
            SELECT f.app_transaction_id FROM transaction_facts f
            WHERE f.app_id = purchases.app_id AND f.original_transaction_id = purchases.original_transaction_id
            AND f.app_transaction_id IS NOT NULL ORDER BY f.purchased_at DESC, f.transaction_id DESC LIMIT 1
        )
        """,
        """
        CREATE INDEX purchases_by_app_transaction
        ON purchases (app_id, app_transaction_id, original_transaction_id) WHERE app_transaction_id IS NOT NULL
        """,
    ]
}

extension SQLiteQuery {
    /// The purchases with an app transaction identifier.
    package static let purchasesOfAppTransaction: SQLiteStatement = """
        SELECT \(RecordColumns.purchase) FROM purchases INDEXED BY purchases_by_app_transaction
        WHERE app_id = ? AND app_transaction_id = ? ORDER BY original_transaction_id
        """
}

extension SQLiteReading {
    func purchases(ofAppTransaction id: String, app: AppID) throws(StorageError) -> [PurchaseRecord] {
        let key: [ColumnValue] = [.text(app), .text(id)]
        return try connection.rows(SQLiteQuery.purchasesOfAppTransaction, key, decode: PurchaseRecord.init(row:))
    }
}
