/// Every statement that the engine runs, by name, so that a test can ask SQLite how it would run each.
package enum SQLiteQuery {
    // MARK: Administration

    static let apps = "SELECT bundle_id, environment, apple_id FROM apps ORDER BY app_id"
    static let saveApp = insertion("INSERT OR REPLACE", "apps", "app_id, bundle_id, environment, apple_id")
    static let apiKeys = "SELECT \(keyColumns) FROM api_keys WHERE app_id = ? ORDER BY created_at, digest"
    static let insertKey = insertion("INSERT OR IGNORE", "api_keys", keyColumns)
    private static let keyColumns = "app_id, digest, kind, hint, created_at"

    /// A key by its digest, once per request.
    package static let apiKey = "SELECT \(keyColumns) FROM api_keys WHERE digest = ?"

    /// The definitions of an app with their products, one row per product, in order; no product is a null.
    package static let definitions = """
        SELECT d.entitlement_id, p.product_id FROM entitlement_definitions d
        LEFT JOIN entitlement_products p ON p.app_id = d.app_id AND p.entitlement_id = d.entitlement_id
        WHERE d.app_id = ? ORDER BY d.entitlement_id, p.position
        """
    static let saveDefinition = insertion("INSERT OR IGNORE", "entitlement_definitions", "app_id, entitlement_id")
    static let clearProducts = "DELETE FROM entitlement_products WHERE app_id = ? AND entitlement_id = ?"
    static let saveProduct =
        insertion("INSERT", "entitlement_products", "app_id, entitlement_id, position, product_id")

    // MARK: Evidence

    /// Whether a signed input is held.
    package static let holdsEvidence = "SELECT 1 FROM evidence WHERE app_id = ? AND evidence_id = ?"
    /// A signed input with its header.
    package static let evidence = """
        SELECT \(evidenceColumns) FROM evidence e
        LEFT JOIN evidence_headers h ON h.app_id = e.app_id AND h.header_id = e.header_id
        WHERE e.app_id = ? AND e.evidence_id = ?
        """
    /// A page of the evidence about a purchase.
    package static let evidenceOfPurchase = """
        SELECT \(evidenceColumns), e.sequence FROM evidence e
        LEFT JOIN evidence_headers h ON h.app_id = e.app_id AND h.header_id = e.header_id
        WHERE e.app_id = ? AND e.original_transaction_id = ? AND e.sequence > ? ORDER BY e.sequence LIMIT ?
        """
    private static let evidenceColumns = """
        e.evidence_id, e.kind, e.type, e.subtype, e.original_transaction_id, e.signed_at, e.received_at, h.bytes, \
        e.remainder
        """
    /// A page of the evidence of a kind.
    package static let evidenceList = """
        SELECT sequence, evidence_id, type, subtype, signed_at, received_at FROM evidence
        WHERE app_id = ? AND kind = ? AND sequence > ? ORDER BY sequence LIMIT ?
        """
    /// The place of an app's next evidence.
    package static let nextEvidence = "SELECT coalesce(max(sequence), 0) + 1 FROM evidence WHERE app_id = ?"
    /// A header with the same bytes.
    package static let header =
        "SELECT header_id FROM evidence_headers WHERE app_id = ? AND checksum = ? AND bytes = ?"
    /// The number of an app's next header.
    package static let nextHeader = "SELECT coalesce(max(header_id), 0) + 1 FROM evidence_headers WHERE app_id = ?"
    static let insertHeader = insertion("INSERT", "evidence_headers", "app_id, header_id, checksum, bytes")
    static let insertEvidence = insertion(
        "INSERT",
        "evidence",
        """
        app_id, evidence_id, sequence, kind, type, subtype, original_transaction_id, signed_at, received_at, header_id, \
        remainder
        """
    )

    static let unknownNotifications = """
        SELECT type, subtype, count, last_received_at FROM unknown_notifications
        WHERE app_id = ? ORDER BY type, subtype
        """
    static let countUnknownNotification = """
        INSERT INTO unknown_notifications (app_id, type, subtype, count, last_received_at) VALUES (?, ?, ?, 1, ?)
        ON CONFLICT DO UPDATE SET count = count + 1, last_received_at = excluded.last_received_at
        """

    // MARK: Facts

    /// The transactions of a purchase.
    package static let transactions = """
        SELECT \(transactionColumns) FROM transaction_facts WHERE app_id = ? AND original_transaction_id = ?
        """
    /// The renewal record of a purchase.
    package static let renewal =
        "SELECT \(renewalColumns) FROM renewal_facts WHERE app_id = ? AND original_transaction_id = ?"
    /// The status of a purchase.
    package static let status =
        "SELECT \(statusColumns) FROM status_facts WHERE app_id = ? AND original_transaction_id = ?"
    static let saveTransaction =
        insertion("INSERT OR REPLACE", "transaction_facts", "app_id, \(transactionColumns)")
    static let saveRenewal = insertion("INSERT OR REPLACE", "renewal_facts", "app_id, \(renewalColumns)")
    static let saveStatus = insertion("INSERT OR REPLACE", "status_facts", "app_id, \(statusColumns)")

    private static let transactionColumns = """
        original_transaction_id, transaction_id, product_id, group_id, kind, purchased_at, originally_purchased_at, \
        expires_at, quantity, ownership, is_renewal, is_upgraded, revoked_at, revocation_kind, revocation_reason, \
        revocation_percentage, offer_kind, offer_payment, offer_identifier, offer_period, price_milliunits, \
        price_currency, storefront, account_token, app_transaction_id, signed_at, evidence_id
        """
    private static let renewalColumns = """
        original_transaction_id, product_id, next_product_id, auto_renew, expiration_reason, is_in_billing_retry, \
        grace_expires_at, price_increase_accepted, offer_kind, offer_payment, offer_identifier, offer_period, \
        renews_at, renewal_price_milliunits, renewal_price_currency, recent_start_at, account_token, signed_at, \
        evidence_id
        """
    private static let statusColumns = "original_transaction_id, status, signed_at, evidence_id"

    // MARK: Purchases, customers, events

    /// A purchase.
    package static let purchase =
        "SELECT \(purchaseColumns) FROM purchases WHERE app_id = ? AND original_transaction_id = ?"
    /// The purchases of a customer.
    package static let purchasesOfCustomer = """
        SELECT \(purchaseColumns) FROM purchases WHERE app_id = ? AND customer_id = ? ORDER BY original_transaction_id
        """
    /// The purchases that the clock changes, of all apps.
    package static let due = """
        SELECT app_id, original_transaction_id, next_change_at FROM purchases
        WHERE next_change_at <= ?
        ORDER BY next_change_at, app_id, original_transaction_id LIMIT ?
        """
    static let savePurchase =
        insertion("INSERT OR REPLACE", "purchases", "app_id, \(purchaseColumns), status, next_change_at")
    private static let purchaseColumns = "original_transaction_id, customer_id, claim, evaluated_at, state"

    /// The claims on a purchase.
    package static let claims = """
        SELECT customer_id, evidence_id, claimed_at FROM claims
        WHERE app_id = ? AND original_transaction_id = ? ORDER BY sequence
        """
    /// The place of a purchase's next claim.
    package static let nextClaim =
        "SELECT coalesce(max(sequence), 0) + 1 FROM claims WHERE app_id = ? AND original_transaction_id = ?"
    static let insertClaim = insertion(
        "INSERT OR IGNORE",
        "claims",
        "app_id, original_transaction_id, sequence, customer_id, evidence_id, claimed_at"
    )

    /// A customer.
    package static let customer =
        "SELECT first_seen_at, state_version FROM customers WHERE app_id = ? AND customer_id = ?"
    /// A page of the customers.
    package static let customers = """
        SELECT customer_id, first_seen_at, state_version FROM customers
        WHERE app_id = ? AND customer_id > ? ORDER BY customer_id LIMIT ?
        """
    static let saveCustomer =
        insertion("INSERT OR REPLACE", "customers", "app_id, customer_id, first_seen_at, state_version")

    /// The grants of a customer.
    package static let grants =
        "SELECT \(grantColumns) FROM grants WHERE app_id = ? AND customer_id = ? ORDER BY grant_id"
    /// The grants that the clock ends, of all apps.
    package static let dueGrants = """
        SELECT app_id, customer_id, grant_id, next_change_at FROM grants
        WHERE next_change_at <= ? ORDER BY next_change_at, app_id, customer_id, grant_id LIMIT ?
        """
    static let saveGrant = insertion("INSERT OR REPLACE", "grants", "app_id, \(grantColumns), next_change_at")
    private static let grantColumns =
        "customer_id, grant_id, entitlement_id, reason, granted_at, expires_at, revoked_at, is_active"

    /// A request by its caller's key.
    package static let request = """
        SELECT request_digest, started_at, status, body FROM idempotency_keys WHERE app_id = ? AND idempotency_key = ?
        """
    static let saveRequest = insertion(
        "INSERT OR REPLACE",
        "idempotency_keys",
        "app_id, idempotency_key, request_digest, started_at, status, body"
    )
    static let removeRequest = "DELETE FROM idempotency_keys WHERE app_id = ? AND idempotency_key = ?"
    static let removeRequests = """
        DELETE FROM idempotency_keys WHERE app_id = ? AND idempotency_key IN (
            SELECT idempotency_key FROM idempotency_keys
            WHERE app_id = ? AND started_at < ? ORDER BY started_at, idempotency_key LIMIT ?
        )
        """

    static let transfer = """
        SELECT from_customer_id, to_customer_id, reason, items, created_at, undone_at FROM transfers
        WHERE app_id = ? AND transfer_id = ?
        """
    static let saveTransfer = insertion(
        "INSERT OR REPLACE",
        "transfers",
        "app_id, transfer_id, from_customer_id, to_customer_id, reason, items, created_at, undone_at"
    )

    /// A page of the events.
    package static let events = """
        SELECT sequence, customer_id, state_version, recorded_at, event FROM events
        WHERE app_id = ? AND sequence > ? ORDER BY sequence LIMIT ?
        """
    /// The place of an app's next event.
    package static let nextEvent = "SELECT coalesce(max(sequence), 0) + 1 FROM events WHERE app_id = ?"
    static let insertEvent = insertion(
        "INSERT",
        "events",
        "app_id, sequence, kind, customer_id, state_version, occurred_at, recorded_at, original_transaction_id, event"
    )

    /// The queries that run once or more per request or notification, by name: each must use an index.
    package static let hot: [(name: String, query: String)] = [
        ("apiKey", apiKey), ("definitions", definitions), ("holdsEvidence", holdsEvidence), ("evidence", evidence),
        ("evidenceList", evidenceList), ("nextEvidence", nextEvidence), ("header", header),
        ("nextHeader", nextHeader), ("transactions", transactions), ("renewal", renewal), ("status", status),
        ("purchase", purchase), ("purchasesOfCustomer", purchasesOfCustomer), ("due", due), ("customer", customer),
        ("customers", customers),
        ("events", events), ("nextEvent", nextEvent), ("claims", claims), ("nextClaim", nextClaim),
        ("grants", grants), ("dueGrants", dueGrants), ("request", request),
        ("evidenceOfPurchase", evidenceOfPurchase),
    ]

    private static func insertion(_ verb: String, _ table: String, _ columns: String) -> String {
        let places = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
        return "\(verb) INTO \(table) (\(columns)) VALUES (\(places))"
    }
}
