#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLTables {
        /// Sold products, the list of products, transactions by their own identifier, and labels of keys.
        static let products =
            SQLDialect.postgreSQL.definitions(of: SoldProduct.table, step: 4) + [
                """
                INSERT INTO sold_products (app_id, product_id, kind, group_id)
                SELECT app_id, product_id, min(kind), min(group_id) FROM transaction_facts GROUP BY app_id, product_id
                """
            ] + SQLDialect.postgreSQL.definitions(of: ListedProduct.table, step: 4) + [
                // The first transaction has the identifier of its purchase and needs no row.
                """
                CREATE INDEX transaction_facts_by_id ON transaction_facts (app_id, transaction_id)
                WHERE transaction_id <> original_transaction_id
                """
            ] + SQLDialect.postgreSQL.definitions(of: APIKeyRecord.table, step: 4)
    }

    extension PostgreSQLQuery {
        /// The purchases of a transaction that is not the first.
        static let purchasesOfTransaction = query(
            "purchasesOfTransaction",
            """
            SELECT original_transaction_id FROM transaction_ids
            WHERE app_id = $1 AND transaction_id = $2
            ORDER BY original_transaction_id
            """
        )
        /// A page of the index of transactions, in the order of its primary key.
        static let indexedTransactions = query(
            "indexedTransactions",
            """
            SELECT transaction_id, original_transaction_id FROM transaction_ids
            WHERE app_id = $1 AND (transaction_id, original_transaction_id) > ($2, $3)
            ORDER BY transaction_id, original_transaction_id LIMIT $4
            """
        )
    }

    extension PostgreSQLReading {
        func purchases(with transaction: TransactionID, app: AppID) throws(StorageError) -> [OriginalTransactionID] {
            let key: [ColumnValue] = [.text(app), .text(transaction)]
            return try self.transaction.rows(PostgreSQLQuery.purchasesOfTransaction, key) { row throws(StorageError) in
                try row.identifier(0)
            }
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
            return try transaction.rows(
                PostgreSQLQuery.indexedTransactions,
                values,
                decode: IndexedTransaction.init(row:)
            )
        }
    }

    extension PostgreSQLWriter {
        func insert(_ entry: IndexedTransaction, of app: AppID) throws(StorageError) {
            try transaction.lock(.purchase(entry.purchaseID), of: app)
            try transaction.enqueue(
                PostgreSQLQuery.noteTransactions,
                [[.text(entry.id), .text(entry.purchaseID)]],
                of: app
            )
        }

        func remove(_ entry: IndexedTransaction, of app: AppID) throws(StorageError) {
            try transaction.lock(.purchase(entry.purchaseID), of: app)
            try transaction.enqueue(
                PostgreSQLQuery.removeTransaction,
                [.text(app), .text(entry.purchaseID), .text(entry.id)]
            )
        }
    }
#endif
