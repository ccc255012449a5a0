#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLTables {
        /// The purpose of the database: one row.
        static let installation = [
            """
            CREATE TABLE installation (
                id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
                purpose \(text) NOT NULL,
                store_root \(text)
            )
            """
        ]

        /// The latest time at which a server derived states: one row.
        static let latestDerivation = [
            """
            CREATE TABLE latest_derivation (
                id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
                derived_at BIGINT NOT NULL
            )
            """
        ]
    }

    extension PostgreSQLQuery {
        /// A page of an app's purchases whose state was derived after a time. It scans the primary key.
        static let derivedLater = query(
            "derivedLater",
            """
            SELECT original_transaction_id FROM purchases
            WHERE app_id = $1 AND original_transaction_id > $2 AND evaluated_at > $3
            ORDER BY original_transaction_id LIMIT $4
            """
        )
        /// The grants that were recorded as ended too early. It scans all grants.
        static let endedGrants = query(
            "endedGrants",
            """
            SELECT app_id, customer_id, grant_id, expires_at FROM grants
            WHERE NOT is_active AND revoked_at IS NULL AND expires_at > $1
            ORDER BY expires_at, app_id, customer_id, grant_id LIMIT $2
            """
        )
        /// The server's clock, in milliseconds since 1970.
        static let serverTime = query(
            "serverTime",
            "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
        )
        static let latestDerivation = query(
            "latestDerivation",
            "SELECT derived_at FROM latest_derivation WHERE id = 1"
        )
        static let noteDerivation = query(
            "noteDerivation",
            """
            INSERT INTO latest_derivation AS latest (id, derived_at) VALUES (1, $1)
            ON CONFLICT (id) DO UPDATE SET derived_at = excluded.derived_at \
            WHERE excluded.derived_at > latest.derived_at
            """
        )
        static let lowerLatestDerivation = query(
            "lowerLatestDerivation",
            "UPDATE latest_derivation SET derived_at = $1 WHERE id = 1 AND derived_at = $2"
        )
        static let purpose = query("purpose", "SELECT purpose, store_root FROM installation WHERE id = 1")
        static let savePurpose = upsert("savePurpose", "installation", "id", "purpose, store_root")
    }

    extension PostgreSQLReading {
        func purchases(
            derivedAfter time: Timestamp,
            of app: AppID,
            after id: OriginalTransactionID?,
            limit: Int
        ) throws(StorageError) -> [OriginalTransactionID] {
            // No identifier is empty, so the empty text comes before all of them.
            let values: [ColumnValue] = [
                .text(app), .text(id ?? OriginalTransactionID("")), .time(time), .integer(max(0, limit)),
            ]
            return try transaction.rows(PostgreSQLQuery.derivedLater, values) { row throws(StorageError) in
                try row.identifier(0)
            }
        }

        func grants(endedBefore time: Timestamp, limit: Int) throws(StorageError) -> [DueGrant] {
            try transaction.rows(PostgreSQLQuery.endedGrants, [.time(time), .integer(max(0, limit))]) {
                row throws(StorageError) in
                DueGrant(
                    appID: try row.identifier(0),
                    customerID: try row.identifier(1),
                    id: try row.identifier(2),
                    dueAt: try row.time(3)
                )
            }
        }

        func databaseTime() throws(StorageError) -> Timestamp? {
            try transaction.row(PostgreSQLQuery.serverTime, []) { row throws(StorageError) in try row.time(0) }
        }

        func latestDerivation() throws(StorageError) -> Timestamp? {
            try transaction.row(PostgreSQLQuery.latestDerivation, []) { row throws(StorageError) in try row.time(0) }
        }

        func purpose() throws(StorageError) -> DatabasePurpose? {
            try transaction.row(PostgreSQLQuery.purpose, [], decode: DatabasePurpose.init(row:))
        }
    }

    extension PostgreSQLWriter {
        func save(_ purpose: DatabasePurpose) throws(StorageError) {
            try transaction.enqueue(PostgreSQLQuery.savePurpose, [.integer(1)] + purpose.columns)
        }

        func noteDerivation(at time: Timestamp) throws(StorageError) {
            try transaction.enqueue(PostgreSQLQuery.noteDerivation, [.time(time)])
        }

        func lowerLatestDerivation(from noted: Timestamp, to time: Timestamp) throws(StorageError) {
            try transaction.enqueue(PostgreSQLQuery.lowerLatestDerivation, [.time(time), .time(noted)])
        }
    }
#endif
