#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLTables {
        /// Keys that sign what the server says.
        static let signingKeys = [
            """
            CREATE TABLE signing_keys (
                key_id \(text) NOT NULL PRIMARY KEY,
                private_key BYTEA,
                public_key BYTEA NOT NULL,
                created_at BIGINT NOT NULL,
                retired_at BIGINT
            )
            """
        ]

        /// Whom a kept answer names, so that it can be forgotten with them.
        static let answeredCustomers = [
            "ALTER TABLE idempotency_keys ADD COLUMN customer_id \(text), ADD COLUMN other_customer_id \(text)",
            """
            CREATE INDEX idempotency_keys_by_customer ON idempotency_keys (app_id, customer_id)
            WHERE customer_id IS NOT NULL
            """,
            """
            CREATE INDEX idempotency_keys_by_other_customer ON idempotency_keys (app_id, other_customer_id)
            WHERE other_customer_id IS NOT NULL
            """,
        ]
    }

    extension PostgreSQLQuery {
        static let eventsAboutCustomer = query(
            "eventsAboutCustomer",
            """
            SELECT \(RecordColumns.event) FROM events
            WHERE app_id = $1 AND sequence > $2 AND sequence <= $3 AND customer_id = $4 ORDER BY sequence
            """
        )
        static let lastEvent = query(
            "lastEvent",
            "SELECT coalesce(max(sequence), 0) FROM events WHERE app_id = $1"
        )
        static let replaceEvent = query(
            "replaceEvent",
            """
            UPDATE events SET customer_id = $1, state_version = $2, event = $3 WHERE app_id = $4 AND sequence = $5
            """
        )
        static let removeClaimsOfCustomer = query(
            "removeClaimsOfCustomer",
            "DELETE FROM claims WHERE app_id = $1 AND customer_id = $2"
        )
        static let removeClaimsOfPurchase = query(
            "removeClaimsOfPurchase",
            "DELETE FROM claims WHERE app_id = $1 AND original_transaction_id = $2"
        )
        static let signingKeys = query(
            "signingKeys",
            """
            SELECT key_id, private_key, public_key, created_at, retired_at FROM signing_keys
            ORDER BY created_at, key_id
            """
        )
        static let saveSigningKey = upsert(
            "saveSigningKey",
            "signing_keys",
            "key_id",
            "private_key, public_key, created_at, retired_at"
        )
    }

    extension PostgreSQLReading {
        func events(
            about customer: CustomerID,
            of app: AppID,
            after sequence: Int64,
            through end: Int64
        ) throws(StorageError) -> [EventRecord] {
            try transaction.settleOrders(of: app)
            let values: [ColumnValue] = [.text(app), .integer(sequence), .integer(end), .text(customer)]
            return try transaction.rows(
                PostgreSQLQuery.eventsAboutCustomer,
                values,
                decode: EventRecord.init(row:)
            )
        }

        func lastEvent(of app: AppID) throws(StorageError) -> Int64 {
            try transaction.settleOrders(of: app)
            return try transaction.row(PostgreSQLQuery.lastEvent, [.text(app)]) { row throws(StorageError) in
                try row.integer(0)
            } ?? 0
        }

        func signingKeys() throws(StorageError) -> [SigningKeyRecord] {
            try transaction.rows(PostgreSQLQuery.signingKeys, [], decode: SigningKeyRecord.init(row:))
        }
    }

    extension PostgreSQLWriter {
        func save(_ event: EventRecord, of app: AppID) throws(StorageError) {
            try transaction.share(app)
            let values: [ColumnValue] = [
                .text(event.customerID), .integer(event.stateVersion), .bytes(event.event.compactBytes),
                .text(app), .integer(event.sequence),
            ]
            try transaction.enqueue(PostgreSQLQuery.replaceEvent, values)
        }

        func removeClaims(by customer: CustomerID, app: AppID) throws(StorageError) {
            try transaction.lock(.customer(customer), of: app)
            try transaction.enqueue(PostgreSQLQuery.removeClaimsOfCustomer, [.text(app), .text(customer)])
        }

        func removeClaims(on purchase: OriginalTransactionID, app: AppID) throws(StorageError) {
            try transaction.lock(.purchase(purchase), of: app)
            try transaction.enqueue(PostgreSQLQuery.removeClaimsOfPurchase, [.text(app), .text(purchase)])
        }

        func save(_ key: SigningKeyRecord) throws(StorageError) {
            try transaction.enqueue(PostgreSQLQuery.saveSigningKey, key.columns)
        }
    }
#endif
