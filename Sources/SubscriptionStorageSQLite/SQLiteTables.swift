import SubscriptionStorage

/// The tables, by the step that creates them.
///
/// Every primary key begins with the app. Times are milliseconds since 1970, amounts are thousandths of the currency
/// unit, identifiers are text. Facts are stored in columns; derived data is stored in a compact binary form next to
/// indexed columns (decision 24).
package enum SQLiteTables {
    /// The first step.
    static let all =
        described + administration + evidence + facts + derived + claims + grants

    private static let described = [AppRecord.table, APIKeyRecord.table, IdempotencyRecord.table, TransferRecord.table]
        .flatMap { SQLDialect.sqlite.definitions(of: $0, step: 1) }

    private static let administration = [
        """
        CREATE TABLE entitlement_definitions (
            app_id TEXT NOT NULL,
            entitlement_id TEXT NOT NULL,
            PRIMARY KEY (app_id, entitlement_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE entitlement_products (
            app_id TEXT NOT NULL,
            entitlement_id TEXT NOT NULL,
            position INTEGER NOT NULL,
            product_id TEXT NOT NULL,
            PRIMARY KEY (app_id, entitlement_id, position),
            FOREIGN KEY (app_id, entitlement_id) REFERENCES entitlement_definitions
        ) STRICT, WITHOUT ROWID
        """,
    ]

    /// The header of a JWS is mostly certificates and is the same in almost every input, so it is stored once.
    private static let evidence = [
        """
        CREATE TABLE evidence_headers (
            app_id TEXT NOT NULL,
            header_id INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (app_id, header_id)
        ) STRICT
        """,
        "CREATE INDEX evidence_headers_by_checksum ON evidence_headers (app_id, checksum)",
        """
        CREATE TABLE evidence (
            app_id TEXT NOT NULL,
            evidence_id TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            kind TEXT NOT NULL,
            type TEXT,
            subtype TEXT,
            original_transaction_id TEXT,
            signed_at INTEGER NOT NULL,
            received_at INTEGER NOT NULL,
            header_id INTEGER,
            remainder BLOB NOT NULL,
            PRIMARY KEY (app_id, evidence_id),
            FOREIGN KEY (app_id, header_id) REFERENCES evidence_headers
        ) STRICT
        """,
        "CREATE UNIQUE INDEX evidence_by_sequence ON evidence (app_id, sequence)",
        "CREATE INDEX evidence_by_kind ON evidence (app_id, kind, sequence)",
        """
        CREATE INDEX evidence_by_purchase ON evidence (app_id, original_transaction_id, sequence)
        WHERE original_transaction_id IS NOT NULL
        """,
        """
        CREATE TABLE unknown_notifications (
            app_id TEXT NOT NULL,
            type TEXT NOT NULL,
            subtype TEXT NOT NULL,
            count INTEGER NOT NULL,
            last_received_at INTEGER NOT NULL,
            PRIMARY KEY (app_id, type, subtype)
        ) STRICT, WITHOUT ROWID
        """,
    ]

    private static let facts = [
        """
        CREATE TABLE transaction_facts (
            app_id TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            transaction_id TEXT NOT NULL,
            product_id TEXT NOT NULL,
            group_id TEXT,
            kind TEXT NOT NULL,
            purchased_at INTEGER NOT NULL,
            originally_purchased_at INTEGER NOT NULL,
            expires_at INTEGER,
            quantity INTEGER NOT NULL,
            ownership TEXT NOT NULL,
            is_renewal INTEGER NOT NULL,
            is_upgraded INTEGER NOT NULL,
            revoked_at INTEGER,
            revocation_kind TEXT,
            revocation_reason INTEGER,
            revocation_percentage INTEGER,
            offer_kind TEXT,
            offer_payment TEXT,
            offer_identifier TEXT,
            offer_period TEXT,
            price_milliunits INTEGER,
            price_currency TEXT,
            storefront TEXT,
            account_token TEXT,
            app_transaction_id TEXT,
            signed_at INTEGER NOT NULL,
            evidence_id TEXT NOT NULL,
            PRIMARY KEY (app_id, original_transaction_id, transaction_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE renewal_facts (
            app_id TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            product_id TEXT NOT NULL,
            next_product_id TEXT NOT NULL,
            auto_renew INTEGER NOT NULL,
            expiration_reason TEXT,
            is_in_billing_retry INTEGER NOT NULL,
            grace_expires_at INTEGER,
            price_increase_accepted INTEGER,
            offer_kind TEXT,
            offer_payment TEXT,
            offer_identifier TEXT,
            offer_period TEXT,
            renews_at INTEGER,
            renewal_price_milliunits INTEGER,
            renewal_price_currency TEXT,
            recent_start_at INTEGER,
            account_token TEXT,
            signed_at INTEGER NOT NULL,
            evidence_id TEXT NOT NULL,
            PRIMARY KEY (app_id, original_transaction_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE status_facts (
            app_id TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            status TEXT NOT NULL,
            signed_at INTEGER NOT NULL,
            evidence_id TEXT NOT NULL,
            PRIMARY KEY (app_id, original_transaction_id)
        ) STRICT, WITHOUT ROWID
        """,
    ]

    private static let derived = [
        """
        CREATE TABLE purchases (
            app_id TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            customer_id TEXT,
            claim TEXT,
            evaluated_at INTEGER NOT NULL,
            status TEXT,
            next_change_at INTEGER,
            state BLOB,
            PRIMARY KEY (app_id, original_transaction_id)
        ) STRICT, WITHOUT ROWID
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
            app_id TEXT NOT NULL,
            customer_id TEXT NOT NULL,
            first_seen_at INTEGER NOT NULL,
            state_version INTEGER NOT NULL,
            PRIMARY KEY (app_id, customer_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE events (
            app_id TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            customer_id TEXT,
            state_version INTEGER,
            recorded_at INTEGER NOT NULL,
            event BLOB NOT NULL,
            PRIMARY KEY (app_id, sequence)
        ) STRICT, WITHOUT ROWID
        """,
    ]

    /// The claims on purchases, in order.
    private static let claims = [
        """
        CREATE TABLE claims (
            app_id TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            customer_id TEXT NOT NULL,
            evidence_id TEXT NOT NULL,
            claimed_at INTEGER NOT NULL,
            PRIMARY KEY (app_id, original_transaction_id, sequence)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE UNIQUE INDEX claims_once ON claims (app_id, original_transaction_id, customer_id, evidence_id)
        """,
    ]

    /// Operators' grants.
    private static let grants = [
        """
        CREATE TABLE grants (
            app_id TEXT NOT NULL,
            customer_id TEXT NOT NULL,
            grant_id TEXT NOT NULL,
            entitlement_id TEXT NOT NULL,
            reason TEXT,
            granted_at INTEGER NOT NULL,
            expires_at INTEGER,
            revoked_at INTEGER,
            is_active INTEGER NOT NULL,
            next_change_at INTEGER,
            PRIMARY KEY (app_id, customer_id, grant_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE INDEX grants_due ON grants (next_change_at, app_id, customer_id, grant_id)
        WHERE next_change_at IS NOT NULL
        """,
    ]

    /// The charge of a transaction and further fields of a renewal record. States in billing retry had no end, so they
    /// are derived again.
    static let charges = [
        "ALTER TABLE transaction_facts ADD COLUMN charge_id TEXT",
        "ALTER TABLE renewal_facts ADD COLUMN win_back_offers BLOB",
        "ALTER TABLE renewal_facts ADD COLUMN is_committed INTEGER",
        """
        UPDATE purchases SET next_change_at = evaluated_at WHERE status = 'in_billing_retry' AND next_change_at \
        IS NULL
        """,
    ]

    /// The purpose of the database: one row.
    static let installation = [
        """
        CREATE TABLE installation (
            id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
            purpose TEXT NOT NULL,
            store_root TEXT
        ) STRICT
        """
    ]

    /// The latest time at which a server derived states: one row.
    static let latestDerivation = [
        """
        CREATE TABLE latest_derivation (
            id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
            derived_at INTEGER NOT NULL
        ) STRICT
        """
    ]
}
