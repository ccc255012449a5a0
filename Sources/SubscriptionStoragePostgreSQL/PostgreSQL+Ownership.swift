#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLTables {
        /// Claims with their transfer policy, shares, and transfers by customer.
        static let ownership = [
            "ALTER TABLE claims ADD COLUMN policy \(text)",
            "DROP INDEX claims_once",
            "CREATE INDEX claims_by_customer ON claims (app_id, customer_id, original_transaction_id, evidence_id)",
            """
            CREATE TABLE purchase_shares (
                app_id \(text) NOT NULL,
                customer_id \(text) NOT NULL,
                original_transaction_id \(text) NOT NULL,
                PRIMARY KEY (app_id, customer_id, original_transaction_id)
            )
            """,
        ]

        /// The sharers of a purchase.
        static let sharers = [
            "CREATE INDEX purchase_shares_by_purchase ON purchase_shares (app_id, original_transaction_id, customer_id)"
        ]
    }

    extension PostgreSQLQuery {
        /// The purchase is locked, so the next sequence number is free.
        static let appendClaim = query(
            "appendClaim",
            """
            INSERT INTO claims
                (app_id, original_transaction_id, sequence, customer_id, evidence_id, claimed_at, policy, standing)
            SELECT $1, $2, (
                SELECT coalesce(max(sequence), 0) + 1 FROM claims WHERE app_id = $1 AND original_transaction_id = $2
            ), $3, $4, $5::bigint, $6, $7::text
            """
        )
        static let claimsOfCustomer = query(
            "claimsOfCustomer",
            """
            SELECT \(RecordColumns.claim) FROM claims
            WHERE app_id = $1 AND customer_id = $2
            """
        )
        /// Each row has the customer that shares the purchase.
        static let sharedPurchases = query(
            "sharedPurchases",
            "SELECT purchase.*, wanted.key FROM \(wanted), \(share), \(sharedPurchase)"
        )
        private static let share =
            each("share", "original_transaction_id", in: "purchase_shares", by: "customer_id", of: "wanted.key")
        private static let sharedPurchase = each(
            "purchase",
            RecordColumns.purchase,
            in: "purchases",
            by: "original_transaction_id",
            of: "share.original_transaction_id"
        )
        static let sharers = lookup(
            "sharers",
            "customer_id",
            in: "purchase_shares",
            by: "original_transaction_id",
            order: "customer_id"
        )
        static let saveShare =
            insertOnce("saveShare", "purchase_shares", "app_id, customer_id, original_transaction_id")
        static let unshare = query(
            "unshare",
            "DELETE FROM purchase_shares WHERE app_id = $1 AND customer_id = $2 AND original_transaction_id = $3"
        )
    }

    extension PostgreSQLReading {
        func claims(by customer: CustomerID, app: AppID) throws(StorageError) -> [ClaimRecord] {
            try transaction.lock(.customer(customer), of: app)
            let key: [ColumnValue] = [.text(app), .text(customer)]
            let claims = try transaction.rows(PostgreSQLQuery.claimsOfCustomer, key, decode: ClaimRecord.init(row:))
            return claims.inOrderOfTime
        }

        func sharers(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> [CustomerID] {
            try transaction.lock(.purchase(purchase), of: app)
            return try transaction.rows(PostgreSQLQuery.sharers, [.text(app), .texts([purchase])]) {
                row throws(StorageError) in try row.identifier(0)
            }
        }
    }

    extension PostgreSQLWriter {
        func append(_ claim: ClaimRecord, of app: AppID) throws(StorageError) {
            try transaction.lock(.purchase(claim.purchaseID), of: app)
            try transaction.enqueue(PostgreSQLQuery.appendClaim, values(of: claim, app: app))
        }

        func values(of claim: ClaimRecord, app: AppID) -> [ColumnValue] {
            [
                .text(app), .text(claim.purchaseID), .text(claim.customerID), .text(claim.evidenceID),
                .time(claim.claimedAt), .text(claim.policy), claim.strength,
            ]
        }

        func share(_ purchase: OriginalTransactionID, with customer: CustomerID, app: AppID) throws(StorageError) {
            try transaction.lock(.customer(customer), of: app)
            try transaction.enqueue(PostgreSQLQuery.saveShare, [.text(app), .text(customer), .text(purchase)])
            transaction.known[app]?.forget(customer)
        }

        func unshare(_ purchase: OriginalTransactionID, with customer: CustomerID, app: AppID) throws(StorageError) {
            try transaction.lock(.customer(customer), of: app)
            try transaction.enqueue(PostgreSQLQuery.unshare, [.text(app), .text(customer), .text(purchase)])
            transaction.known[app]?.forget(customer)
        }
    }
#endif
