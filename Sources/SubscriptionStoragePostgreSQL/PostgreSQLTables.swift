#if PostgreSQL
    import SubscriptionStorage

    /// The tables, by the step that creates them.
    ///
    /// Every primary key begins with the app. Times are milliseconds since 1970, amounts are thousandths of the
    /// currency unit, identifiers are text. Facts are stored in columns; derived data is stored in a compact binary
    /// form next to indexed columns (decision 24).
    package enum PostgreSQLTables {
        /// The first step.
        static let all =
            described + counters + administration + evidence + facts + derived + claims + grants

        private static let described = [
            AppRecord.table, APIKeyRecord.table, IdempotencyRecord.table, TransferRecord.table,
        ].flatMap { SQLDialect.postgreSQL.definitions(of: $0, step: 1) }

        /// Compared and ordered by bytes, independent of the locale of the database.
        static let text = "TEXT COLLATE \"C\""

        /// The last used sequence numbers of an app. The row is written at the end of a transaction and locked until
        /// its commit, so the order of sequence numbers equals the order of commits.
        private static let counters = [
            """
            CREATE TABLE app_counters (
                app_id \(text) NOT NULL PRIMARY KEY,
                evidence BIGINT NOT NULL,
                events BIGINT NOT NULL
            ) WITH (fillfactor = 10)
            """
        ]

        private static let administration = [
            """
            CREATE TABLE entitlement_definitions (
                app_id \(text) NOT NULL,
                entitlement_id \(text) NOT NULL,
                PRIMARY KEY (app_id, entitlement_id)
            )
            """,
            """
            CREATE TABLE entitlement_products (
                app_id \(text) NOT NULL,
                entitlement_id \(text) NOT NULL,
                position BIGINT NOT NULL,
                product_id \(text) NOT NULL,
                PRIMARY KEY (app_id, entitlement_id, position),
                FOREIGN KEY (app_id, entitlement_id) REFERENCES entitlement_definitions
            )
            """,
        ]

        /// The header of a JWS is mostly certificates and is the same in almost every input, so it is stored once.
        ///
        /// There is no foreign key to it, because every insertion would lock the same row.
        private static let evidence = [
            """
            CREATE TABLE evidence_headers (
                app_id \(text) NOT NULL,
                header_id BIGINT NOT NULL,
                checksum BIGINT NOT NULL,
                bytes BYTEA NOT NULL,
                PRIMARY KEY (app_id, header_id)
            )
            """,
            "CREATE INDEX evidence_headers_by_checksum ON evidence_headers (app_id, checksum)",
            """
            CREATE TABLE evidence (
                app_id \(text) NOT NULL,
                evidence_id \(text) NOT NULL,
                sequence BIGINT NOT NULL,
                kind \(text) NOT NULL,
                type \(text),
                subtype \(text),
                original_transaction_id \(text),
                signed_at BIGINT NOT NULL,
                received_at BIGINT NOT NULL,
                header_id BIGINT,
                remainder BYTEA NOT NULL,
                PRIMARY KEY (app_id, evidence_id)
            )
            """,
            // Base64 signatures do not compress, so the server must not try.
            "ALTER TABLE evidence ALTER COLUMN remainder SET STORAGE EXTERNAL",
            "CREATE UNIQUE INDEX evidence_by_sequence ON evidence (app_id, sequence)",
            "CREATE INDEX evidence_by_kind ON evidence (app_id, kind, sequence)",
            """
            CREATE INDEX evidence_by_purchase ON evidence (app_id, original_transaction_id, sequence)
            WHERE original_transaction_id IS NOT NULL
            """,
        ]

        private static let facts = [
            """
            CREATE TABLE transaction_facts (
                app_id \(text) NOT NULL,
                original_transaction_id \(text) NOT NULL,
                transaction_id \(text) NOT NULL,
                product_id \(text) NOT NULL,
                group_id \(text),
                kind \(text) NOT NULL,
                purchased_at BIGINT NOT NULL,
                originally_purchased_at BIGINT NOT NULL,
                expires_at BIGINT,
                quantity BIGINT NOT NULL,
                ownership \(text) NOT NULL,
                is_renewal BOOLEAN NOT NULL,
                is_upgraded BOOLEAN NOT NULL,
                revoked_at BIGINT,
                revocation_kind \(text),
                revocation_reason BIGINT,
                revocation_percentage BIGINT,
                offer_kind \(text),
                offer_payment \(text),
                offer_identifier \(text),
                offer_period \(text),
                price_milliunits BIGINT,
                price_currency \(text),
                storefront \(text),
                account_token \(text),
                app_transaction_id \(text),
                signed_at BIGINT NOT NULL,
                evidence_id \(text) NOT NULL,
                PRIMARY KEY (app_id, original_transaction_id, transaction_id)
            )
            """,
            """
            CREATE TABLE renewal_facts (
                app_id \(text) NOT NULL,
                original_transaction_id \(text) NOT NULL,
                product_id \(text) NOT NULL,
                next_product_id \(text) NOT NULL,
                auto_renew BOOLEAN NOT NULL,
                expiration_reason \(text),
                is_in_billing_retry BOOLEAN NOT NULL,
                grace_expires_at BIGINT,
                price_increase_accepted BOOLEAN,
                offer_kind \(text),
                offer_payment \(text),
                offer_identifier \(text),
                offer_period \(text),
                renews_at BIGINT,
                renewal_price_milliunits BIGINT,
                renewal_price_currency \(text),
                recent_start_at BIGINT,
                account_token \(text),
                signed_at BIGINT NOT NULL,
                evidence_id \(text) NOT NULL,
                PRIMARY KEY (app_id, original_transaction_id)
            )
            """,
            """
            CREATE TABLE status_facts (
                app_id \(text) NOT NULL,
                original_transaction_id \(text) NOT NULL,
                status \(text) NOT NULL,
                signed_at BIGINT NOT NULL,
                evidence_id \(text) NOT NULL,
                PRIMARY KEY (app_id, original_transaction_id)
            )
            """,
        ]

        private static let derived = [
            """
            CREATE TABLE purchases (
                app_id \(text) NOT NULL,
                original_transaction_id \(text) NOT NULL,
                customer_id \(text),
                claim \(text),
                evaluated_at BIGINT NOT NULL,
                status \(text),
                next_change_at BIGINT,
                state BYTEA,
                PRIMARY KEY (app_id, original_transaction_id)
            )
            """,
            """
            CREATE INDEX purchases_by_customer ON purchases (app_id, customer_id, original_transaction_id)
            WHERE customer_id IS NOT NULL
            """,
            """
            CREATE INDEX purchases_due ON purchases (next_change_at, app_id, original_transaction_id)
            WHERE next_change_at IS NOT NULL
            """,
            """
            CREATE TABLE customers (
                app_id \(text) NOT NULL,
                customer_id \(text) NOT NULL,
                first_seen_at BIGINT NOT NULL,
                state_version BIGINT NOT NULL,
                PRIMARY KEY (app_id, customer_id)
            )
            """,
            """
            CREATE TABLE events (
                app_id \(text) NOT NULL,
                sequence BIGINT NOT NULL,
                customer_id \(text),
                state_version BIGINT,
                recorded_at BIGINT NOT NULL,
                event BYTEA NOT NULL,
                PRIMARY KEY (app_id, sequence)
            )
            """,
        ]

        /// The claims on purchases, in order.
        private static let claims = [
            """
            CREATE TABLE claims (
                app_id \(text) NOT NULL,
                original_transaction_id \(text) NOT NULL,
                sequence BIGINT NOT NULL,
                customer_id \(text) NOT NULL,
                evidence_id \(text) NOT NULL,
                claimed_at BIGINT NOT NULL,
                PRIMARY KEY (app_id, original_transaction_id, sequence)
            )
            """,
            """
            CREATE UNIQUE INDEX claims_once ON claims (app_id, original_transaction_id, customer_id, evidence_id)
            """,
        ]

        /// Grants, and counts of unknown notifications.
        private static let grants = [
            """
            CREATE TABLE grants (
                app_id \(text) NOT NULL,
                customer_id \(text) NOT NULL,
                grant_id \(text) NOT NULL,
                entitlement_id \(text) NOT NULL,
                reason \(text),
                granted_at BIGINT NOT NULL,
                expires_at BIGINT,
                revoked_at BIGINT,
                is_active BOOLEAN NOT NULL,
                next_change_at BIGINT,
                PRIMARY KEY (app_id, customer_id, grant_id)
            )
            """,
            """
            CREATE INDEX grants_due ON grants (next_change_at, app_id, customer_id, grant_id)
            WHERE next_change_at IS NOT NULL
            """,
            """
            CREATE TABLE unknown_notifications (
                app_id \(text) NOT NULL,
                type \(text) NOT NULL,
                subtype \(text) NOT NULL,
                count BIGINT NOT NULL,
                last_received_at BIGINT NOT NULL,
                PRIMARY KEY (app_id, type, subtype)
            )
            """,
        ]

        /// The charge of a transaction and further fields of a renewal record. States in billing retry had no end, so
        /// they are derived again.
        static let charges = [
            "ALTER TABLE transaction_facts ADD COLUMN charge_id TEXT",
            "ALTER TABLE renewal_facts ADD COLUMN win_back_offers BYTEA",
            "ALTER TABLE renewal_facts ADD COLUMN is_committed BOOLEAN",
            """
            UPDATE purchases SET next_change_at = evaluated_at WHERE status = 'in_billing_retry' AND \
            next_change_at IS NULL
            """,
        ]
    }
#endif
