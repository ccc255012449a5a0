#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLTables {
        /// What a claim counts for, and the claims that count for nothing.
        static let refusedClaims = [
            "ALTER TABLE claims ADD COLUMN standing \(text)",
            """
            CREATE TABLE refused_claims (
                app_id \(text) NOT NULL,
                original_transaction_id \(text) NOT NULL,
                customer_id \(text) NOT NULL,
                evidence_id \(text) NOT NULL,
                claimed_at BIGINT NOT NULL,
                policy \(text) NOT NULL,
                reason \(text) NOT NULL,
                dropped_before BIGINT NOT NULL,
                PRIMARY KEY (app_id, original_transaction_id, customer_id)
            )
            """,
            "CREATE INDEX refused_claims_by_customer ON refused_claims (app_id, customer_id, original_transaction_id)",
        ]
    }

    extension PostgreSQLQuery {
        static let refusedClaims = lookup(
            "refusedClaims",
            RecordColumns.refusedClaim,
            in: "refused_claims",
            by: "original_transaction_id"
        )
        static let refusedClaimsOfCustomer = lookup(
            "refusedClaimsOfCustomer",
            RecordColumns.refusedClaim,
            in: "refused_claims",
            by: "customer_id"
        )
        static let saveRefusedClaim = upsert(
            "saveRefusedClaim",
            "refused_claims",
            "app_id, original_transaction_id, customer_id",
            "evidence_id, claimed_at, policy, reason, dropped_before"
        )
        static let removeRefusedClaim = query(
            "removeRefusedClaim",
            "DELETE FROM refused_claims WHERE app_id = $1 AND original_transaction_id = $2 AND customer_id = $3"
        )
    }

    extension PostgreSQLReading {
        func refusedClaims(on purchases: [OriginalTransactionID], app: AppID) throws(StorageError) -> [RefusedClaim] {
            try transaction.lock(purchases.map(PostgreSQLLock.purchase), of: app)
            let values: [ColumnValue] = [.text(app), .texts(purchases)]
            return try transaction.rows(PostgreSQLQuery.refusedClaims, values, decode: RefusedClaim.init(row:))
                .inOrderOfTime
        }

        func refusedClaims(by customers: [CustomerID], app: AppID) throws(StorageError) -> [RefusedClaim] {
            try transaction.lock(customers.map(PostgreSQLLock.customer), of: app)
            let values: [ColumnValue] = [.text(app), .texts(customers)]
            let query = PostgreSQLQuery.refusedClaimsOfCustomer
            return try transaction.rows(query, values, decode: RefusedClaim.init(row:)).inOrderOfTime
        }

        /// All are held in the order in which every write holds customers, so that no two writes wait for each other.
        func aliases(_ ids: Set<CustomerID>, of app: AppID) throws(StorageError) -> [AliasRecord] {
            let unknown = ids.filter { transaction.known[app]?.aliases[$0] == nil }
            if !unknown.isEmpty {
                try transaction.lock(unknown.map(PostgreSQLLock.customer), of: app)
                try transaction.ask([.aliases(Array(unknown))], of: app)
            }
            return ids.sorted().compactMap { transaction.known[app]?.aliases[$0] ?? nil }
        }
    }

    extension PostgreSQLWriter {
        func save(_ refused: RefusedClaim, of app: AppID) throws(StorageError) {
            try transaction.lock(.purchase(refused.purchaseID), of: app)
            try transaction.enqueue(PostgreSQLQuery.saveRefusedClaim, [.text(app)] + refused.columns)
        }

        /// The customer is not locked: what was refused is read again by nobody who decides by it.
        func removeRefusedClaim(
            on purchase: OriginalTransactionID,
            by customer: CustomerID,
            app: AppID
        ) throws(StorageError) {
            try transaction.lock(.purchase(purchase), of: app)
            let key: [ColumnValue] = [.text(app), .text(purchase), .text(customer)]
            try transaction.enqueue(PostgreSQLQuery.removeRefusedClaim, key)
        }
    }
#endif
