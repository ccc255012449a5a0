import SubscriptionCore
import SubscriptionStorage

extension SQLiteTables {
    /// What was sold, what the developer says is sold, transactions by their own identifier, and labels of keys.
    static let products = [
        """
        CREATE TABLE sold_products (
            app_id TEXT NOT NULL,
            product_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            group_id TEXT,
            PRIMARY KEY (app_id, product_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        INSERT OR IGNORE INTO sold_products (app_id, product_id, kind, group_id)
        SELECT app_id, product_id, kind, group_id FROM transaction_facts GROUP BY app_id, product_id
        """,
        """
        CREATE TABLE listed_products (
            app_id TEXT NOT NULL,
            product_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            group_id TEXT,
            name TEXT,
            PRIMARY KEY (app_id, product_id)
        ) STRICT, WITHOUT ROWID
        """,
        // The first transaction of a purchase has the purchase's identifier, and is found by that.
        """
        CREATE INDEX transaction_facts_by_id ON transaction_facts (app_id, transaction_id)
        WHERE transaction_id <> original_transaction_id
        """,
        "ALTER TABLE api_keys ADD COLUMN label TEXT",
    ]
}

extension SQLiteQuery {
    static let soldProducts: SQLiteStatement =
        "SELECT \(ProductColumns.sold) FROM sold_products WHERE app_id = ? ORDER BY product_id"
    static let noteSale: SQLiteStatement =
        "INSERT OR IGNORE INTO sold_products (app_id, \(ProductColumns.sold)) VALUES (?, ?, ?, ?)"
    static let listedProducts: SQLiteStatement =
        "SELECT \(ProductColumns.listed) FROM listed_products WHERE app_id = ? ORDER BY product_id"
    static let clearListedProducts: SQLiteStatement = "DELETE FROM listed_products WHERE app_id = ?"
    static let listProduct: SQLiteStatement =
        "INSERT OR REPLACE INTO listed_products (app_id, \(ProductColumns.listed)) VALUES (?, ?, ?, ?, ?)"
    /// The purchases of a transaction that is not the first.
    package static let purchasesOfTransaction: SQLiteStatement = """
        SELECT original_transaction_id FROM transaction_facts INDEXED BY transaction_facts_by_id
        WHERE app_id = ? AND transaction_id = ? AND transaction_id <> original_transaction_id
        ORDER BY original_transaction_id
        """
}

extension SQLiteReading {
    func soldProducts(of app: AppID) throws(StorageError) -> [SoldProduct] {
        try connection.rows(SQLiteQuery.soldProducts, [.text(app)], decode: SoldProduct.init(row:))
    }

    func listedProducts(of app: AppID) throws(StorageError) -> [ListedProduct] {
        try connection.rows(SQLiteQuery.listedProducts, [.text(app)], decode: ListedProduct.init(row:))
    }

    func purchases(with transaction: TransactionID, app: AppID) throws(StorageError) -> [OriginalTransactionID] {
        let key: [ColumnValue] = [.text(app), .text(transaction)]
        return try connection.rows(SQLiteQuery.purchasesOfTransaction, key) { row in try row.identifier(0) }
    }
}

extension SQLiteWriter {
    func noteSale(of product: SoldProduct, app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.noteSale, [.text(app)] + product.columns)
    }

    func replaceListedProducts(_ products: [ListedProduct], of app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.clearListedProducts, [.text(app)])
        for product in products { try connection.run(SQLiteQuery.listProduct, [.text(app)] + product.columns) }
    }
}
