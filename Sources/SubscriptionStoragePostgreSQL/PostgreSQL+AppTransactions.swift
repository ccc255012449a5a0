#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLTables {
        /// The app transaction identifier of a purchase, from the newest transaction that has one.
        static let appTransactions = [
            "ALTER TABLE purchases ADD COLUMN app_transaction_id \(text)",
            """
            UPDATE purchases SET app_transaction_id = named.app_transaction_id FROM (
                SELECT DISTINCT ON (app_id, original_transaction_id)
                    app_id, original_transaction_id, app_transaction_id
                FROM transaction_facts WHERE app_transaction_id IS NOT NULL
                ORDER BY app_id, original_transaction_id, purchased_at DESC, transaction_id DESC
            ) named
            WHERE named.app_id = purchases.app_id
            AND named.original_transaction_id = purchases.original_transaction_id
            """,
            """
            CREATE INDEX purchases_by_app_transaction
            ON purchases (app_id, app_transaction_id, original_transaction_id) WHERE app_transaction_id IS NOT NULL
            """,
        ]
    }

    extension PostgreSQLQuery {
        static let purchasesOfAppTransaction = query(
            "purchasesOfAppTransaction",
            """
            SELECT \(RecordColumns.purchase) FROM purchases
            WHERE app_id = $1 AND app_transaction_id = $2 ORDER BY original_transaction_id
            """
        )
    }

    extension PostgreSQLReading {
        /// It locks nothing: a purchase that another write is changing is read in its committed state.
        func purchases(ofAppTransaction id: String, app: AppID) throws(StorageError) -> [PurchaseRecord] {
            let key: [ColumnValue] = [.text(app), .text(id)]
            return try transaction.rows(
                PostgreSQLQuery.purchasesOfAppTransaction,
                key,
                decode: PurchaseRecord.init(row:)
            )
        }
    }
#endif
