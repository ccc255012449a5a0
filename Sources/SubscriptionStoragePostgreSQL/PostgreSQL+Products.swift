#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLTables {
        /// What was sold, what the developer says is sold, transactions by their own identifier, and labels of keys.
        static let products = [
            """
            CREATE TABLE sold_products (
                app_id \(text) NOT NULL,
                product_id \(text) NOT NULL,
                kind \(text) NOT NULL,
                group_id \(text),
                PRIMARY KEY (app_id, product_id)
            )
            """,
            """
            INSERT INTO sold_products (app_id, product_id, kind, group_id)
            SELECT app_id, product_id, min(kind), min(group_id) FROM transaction_facts GROUP BY app_id, product_id
            """,
            """
            CREATE TABLE listed_products (
                app_id \(text) NOT NULL,
                product_id \(text) NOT NULL,
                kind \(text) NOT NULL,
                group_id \(text),
                name \(text),
                PRIMARY KEY (app_id, product_id)
            )
            """,
            // The first transaction of a purchase has the purchase's identifier, and is found by that.
            """
            CREATE INDEX transaction_facts_by_id ON transaction_facts (app_id, transaction_id)
            WHERE transaction_id <> original_transaction_id
            """,
            "ALTER TABLE api_keys ADD COLUMN label \(text)",
        ]
    }

    extension PostgreSQLQuery {
        static let soldProducts = query(
            "soldProducts",
            "SELECT \(ProductColumns.sold) FROM sold_products WHERE app_id = $1 ORDER BY product_id"
        )
        static let noteSale = insertOnce("noteSale", "sold_products", "app_id, \(ProductColumns.sold)")
        static let listedProducts = query(
            "listedProducts",
            "SELECT \(ProductColumns.listed) FROM listed_products WHERE app_id = $1 ORDER BY product_id"
        )
        static let clearListedProducts = query(
            "clearListedProducts",
            "DELETE FROM listed_products WHERE app_id = $1"
        )
        static let listProduct = insert("listProduct", "listed_products", "app_id, \(ProductColumns.listed)")
        /// The purchases of a transaction that is not the first.
        static let purchasesOfTransaction = query(
            "purchasesOfTransaction",
            """
            SELECT original_transaction_id FROM transaction_facts
            WHERE app_id = $1 AND transaction_id = $2 AND transaction_id <> original_transaction_id
            ORDER BY original_transaction_id
            """
        )
    }

    extension PostgreSQLReading {
        func soldProducts(of app: AppID) throws(StorageError) -> [SoldProduct] {
            try transaction.share(app)
            return try transaction.rows(PostgreSQLQuery.soldProducts, [.text(app)], decode: SoldProduct.init(row:))
        }

        func listedProducts(of app: AppID) throws(StorageError) -> [ListedProduct] {
            try transaction.share(app)
            return try transaction.rows(PostgreSQLQuery.listedProducts, [.text(app)], decode: ListedProduct.init(row:))
        }

        func purchases(with transaction: TransactionID, app: AppID) throws(StorageError) -> [OriginalTransactionID] {
            let key: [ColumnValue] = [.text(app), .text(transaction)]
            return try self.transaction.rows(PostgreSQLQuery.purchasesOfTransaction, key) { row throws(StorageError) in
                try row.identifier(0)
            }
        }
    }

    extension PostgreSQLWriter {
        /// A product that is noted already is left as it is, and locks nothing.
        func noteSale(of product: SoldProduct, app: AppID) throws(StorageError) {
            try transaction.share(app)
            try transaction.enqueue(PostgreSQLQuery.noteSale, [.text(app)] + product.columns)
        }

        func replaceListedProducts(_ products: [ListedProduct], of app: AppID) throws(StorageError) {
            try transaction.holdAlone(app)
            try transaction.enqueue(PostgreSQLQuery.clearListedProducts, [.text(app)])
            for product in products {
                try transaction.enqueue(PostgreSQLQuery.listProduct, [.text(app)] + product.columns)
            }
        }
    }
#endif
