/// The tables of an export.
package enum CopiedTables {
    /// The signed inputs, which are most of a database.
    package static let evidence = CopiedTable(
        "evidence",
        [
            .text("app_id"), .integer("sequence"), .text("evidence_id"), .text("kind"), .text("type", optional: true),
            .text("subtype", optional: true), .text("original_transaction_id", optional: true),
            .integer("signed_at"), .integer("received_at"), .integer("header_id", optional: true),
            .bytes("remainder"),
        ],
        key: ["app_id", "sequence"],
        isAppendOnly: true
    )

    /// The owners, states and facts of purchases.
    package static let purchases = CopiedTable(
        "purchases",
        [
            .text("app_id"), .text("original_transaction_id"), .text("customer_id", optional: true),
            .text("claim", optional: true), .integer("evaluated_at", optional: true), .bytes("state", optional: true),
            .text("app_transaction_id", optional: true), .text("status", optional: true),
            .integer("next_change_at", optional: true), .bytes("facts", optional: true),
        ],
        key: ["app_id", "original_transaction_id"]
    )

    /// The customers.
    package static let customers = CopiedTable(
        "customers",
        [
            .text("app_id"), .text("customer_id"), .integer("first_seen_at"), .integer("state_version"),
            .text("profile", optional: true),
        ],
        key: ["app_id", "customer_id"]
    )

    /// The feed.
    package static let events = CopiedTable(
        "events",
        [
            .text("app_id"), .integer("sequence"), .text("customer_id", optional: true),
            .integer("state_version", optional: true), .integer("recorded_at"), .bytes("event"),
        ],
        key: ["app_id", "sequence"]
    )

    /// The certificates and algorithms of signed inputs, each once.
    package static let headers = CopiedTable(
        "evidence_headers",
        [.text("app_id"), .integer("header_id"), .integer("checksum"), .bytes("bytes")],
        key: ["app_id", "header_id"]
    )

    /// All tables, in an order in which they can be filled: SQLite links evidence to the purchases before it.
    package static let all =
        [installation, latestDerivation] + described
        + [
            definitions, products, headers, purchases, evidence, unknownNotifications, earlierTransactions,
            transactionIDs, customers, aliases, claims, shares, grants, events,
        ]

    /// The tables with descriptions. Leases belong to running servers.
    private static let described = StoredTables.all.filter { $0 != Lease.self }.map { record in
        CopiedTable(record.table)
    }

    private static let installation = CopiedTable(
        "installation",
        [.integer("id"), .text("purpose"), .text("store_root", optional: true)],
        key: ["id"]
    )
    private static let latestDerivation = CopiedTable(
        "latest_derivation",
        [.integer("id"), .integer("derived_at")],
        key: ["id"]
    )
    private static let definitions = CopiedTable(
        "entitlement_definitions",
        [.text("app_id"), .text("entitlement_id"), .integer("billing_retry_grace_days", optional: true)],
        key: ["app_id", "entitlement_id"]
    )
    private static let products = CopiedTable(
        "entitlement_products",
        [.text("app_id"), .text("entitlement_id"), .integer("position"), .text("product_id")],
        key: ["app_id", "entitlement_id", "position"]
    )
    private static let unknownNotifications = CopiedTable(
        "unknown_notifications",
        [.text("app_id"), .text("type"), .text("subtype"), .integer("count"), .integer("last_received_at")],
        key: ["app_id", "type", "subtype"]
    )
    private static let earlierTransactions = CopiedTable(
        "earlier_transactions",
        [
            .text("app_id"), .text("original_transaction_id"), .text("transaction_id"), .text("product_id"),
            .text("group_id", optional: true), .text("kind"), .integer("purchased_at"),
            .integer("originally_purchased_at"), .integer("expires_at", optional: true), .integer("quantity"),
            .text("ownership"), .flag("is_renewal"), .flag("is_upgraded"), .integer("revoked_at", optional: true),
            .text("revocation_kind", optional: true), .integer("revocation_reason", optional: true),
            .integer("revocation_percentage", optional: true), .text("offer_kind", optional: true),
            .text("offer_payment", optional: true), .text("offer_identifier", optional: true),
            .text("offer_period", optional: true), .integer("price_milliunits", optional: true),
            .text("price_currency", optional: true), .text("storefront", optional: true),
            .text("account_token", optional: true), .text("app_transaction_id", optional: true),
            .text("charge_id", optional: true), .integer("signed_at"), .text("evidence_id"),
        ],
        key: ["app_id", "original_transaction_id", "transaction_id"]
    )
    private static let transactionIDs = CopiedTable(
        "transaction_ids",
        [.text("app_id"), .text("transaction_id"), .text("original_transaction_id")],
        key: ["app_id", "transaction_id", "original_transaction_id"]
    )
    private static let aliases = CopiedTable(
        "aliases",
        [.text("app_id"), .text("alias_id"), .text("customer_id"), .integer("created_at")],
        key: ["app_id", "alias_id"]
    )
    private static let claims = CopiedTable(
        "claims",
        [
            .text("app_id"), .text("original_transaction_id"), .integer("sequence"), .text("customer_id"),
            .text("evidence_id"), .integer("claimed_at"), .text("policy", optional: true),
            .text("standing", optional: true),
        ],
        key: ["app_id", "original_transaction_id", "sequence"]
    )
    private static let shares = CopiedTable(
        "purchase_shares",
        [.text("app_id"), .text("customer_id"), .text("original_transaction_id")],
        key: ["app_id", "customer_id", "original_transaction_id"]
    )
    private static let grants = CopiedTable(
        "grants",
        [
            .text("app_id"), .text("customer_id"), .text("grant_id"), .text("entitlement_id"),
            .text("reason", optional: true), .integer("granted_at"), .integer("expires_at", optional: true),
            .integer("revoked_at", optional: true), .flag("is_active"), .integer("next_change_at", optional: true),
        ],
        key: ["app_id", "customer_id", "grant_id"]
    )

    /// The number of the last schema step: an export and the database that reads it must have the same.
    package static let schemaStep = StoredTables.steps.last?.number ?? 0
}
