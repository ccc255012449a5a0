#if PostgreSQL
    import SubscriptionStorage

    /// All statements of the engine by name, so that a test can check the server's query plan of each.
    enum PostgreSQLQuery {
        // MARK: Administration

        /// The definitions of an app with their products, one row per product, in order; a null means no product.
        static let definitions = query(
            "definitions",
            """
            SELECT d.entitlement_id, p.product_id, d.billing_retry_grace_days FROM entitlement_definitions d
            LEFT JOIN entitlement_products p ON p.app_id = d.app_id AND p.entitlement_id = d.entitlement_id
            WHERE d.app_id = $1 ORDER BY d.entitlement_id, p.position
            """
        )
        static let saveDefinition = upsert(
            "saveDefinition",
            "entitlement_definitions",
            "app_id, entitlement_id",
            "billing_retry_grace_days"
        )
        static let clearProducts = query(
            "clearProducts",
            "DELETE FROM entitlement_products WHERE app_id = $1 AND entitlement_id = $2"
        )
        static let saveProduct =
            insert("saveProduct", "entitlement_products", "app_id, entitlement_id, position, product_id")

        // MARK: Facts

        /// The facts in the rows of purchases.
        static let facts = ofPurchases(
            "facts",
            "purchases",
            "original_transaction_id, \(RecordColumns.purchaseFacts)"
        )
        static let earlierTransactions =
            ofPurchases("earlierTransactions", "earlier_transactions", FactColumns.transaction)
        static let saveEarlierTransactions = PostgreSQLInsertion.replacing(
            "saveEarlierTransactions",
            "earlier_transactions",
            FactColumns.transaction,
            keyCount: 2
        )
        static let noteTransactions = PostgreSQLInsertion.once(
            "noteTransactions",
            "transaction_ids",
            "transaction_id, original_transaction_id"
        )
        /// Facts of purchases whose other columns are not saved.
        static let saveFacts = PostgreSQLInsertion.replacing(
            "saveFacts",
            "purchases",
            "original_transaction_id, \(RecordColumns.purchaseFacts)",
            keyCount: 1
        )

        // MARK: Purchases and customers

        static let purchases = ofPurchases("purchases", "purchases", RecordColumns.purchase)
        /// The same inside a write; it waits for a write that has locked a purchase.
        static let purchasesForUpdate =
            ofPurchases("purchasesForUpdate", "purchases", RecordColumns.purchase, isLocking: true)
        static let purchasesOfCustomers = lookup(
            "purchasesOfCustomers",
            RecordColumns.purchase,
            in: "purchases",
            by: "customer_id",
            order: "original_transaction_id"
        )
        /// The purchases of all apps that are due.
        static let due = query(
            "due",
            """
            SELECT app_id, original_transaction_id, next_change_at, customer_id FROM purchases
            WHERE next_change_at <= $1
            ORDER BY next_change_at, app_id, original_transaction_id LIMIT $2
            """
        )
        /// The same inside a write; rows that another write has locked are skipped.
        static let claimDue = query("claimDue", due.text + " FOR UPDATE SKIP LOCKED")
        static let savePurchases = PostgreSQLInsertion.replacing(
            "savePurchases",
            "purchases",
            [RecordColumns.purchase, RecordColumns.purchaseIndex, RecordColumns.purchaseFacts].joined(separator: ", "),
            keyCount: 1
        )

        static let claims = query(
            "claims",
            """
            SELECT \(RecordColumns.claim) FROM claims
            WHERE app_id = $1 AND original_transaction_id = $2 ORDER BY sequence
            """
        )
        /// The purchase is locked, so the next sequence number is free.
        static let insertClaim = query(
            "insertClaim",
            """
            \(appendClaim.text) WHERE NOT EXISTS (
                SELECT 1 FROM claims
                WHERE app_id = $1 AND original_transaction_id = $2 AND customer_id = $3 AND evidence_id = $4
            )
            """
        )

        static let customersByID =
            lookup("customersByID", RecordColumns.customer, in: "customers", by: "customer_id")
        static let customers = query(
            "customers",
            """
            SELECT \(RecordColumns.customer) FROM customers
            WHERE app_id = $1 AND customer_id > $2 ORDER BY customer_id LIMIT $3
            """
        )
        static let saveCustomers =
            PostgreSQLInsertion.replacing("saveCustomers", "customers", RecordColumns.customer, keyCount: 1)

        private static func ofPurchases(
            _ name: String,
            _ table: String,
            _ columns: String,
            isLocking: Bool = false
        ) -> PostgreSQLStatement {
            lookup(name, columns, in: table, by: "original_transaction_id", isLocking: isLocking)
        }
    }
#endif
