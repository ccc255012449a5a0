import SubscriptionStorage

/// All statements of the engine by name, so that a test can check SQLite's query plan of each.
///
/// If an index is better than the primary key that begins with the app, the statement forces it: SQLite's planner
/// assumes about ten rows per app and would scan them all.
package enum SQLiteQuery {
    // MARK: Administration

    static let purpose: SQLiteStatement = "SELECT purpose, store_root FROM installation WHERE id = 1"
    static let savePurpose: SQLiteStatement =
        "INSERT OR REPLACE INTO installation (id, purpose, store_root) VALUES (1, ?, ?)"
    static let latestDerivation: SQLiteStatement = "SELECT derived_at FROM latest_derivation WHERE id = 1"
    static let noteDerivation: SQLiteStatement = """
        INSERT INTO latest_derivation (id, derived_at) VALUES (1, ?)
        ON CONFLICT DO UPDATE SET derived_at = excluded.derived_at WHERE excluded.derived_at > derived_at
        """
    static let lowerLatestDerivation: SQLiteStatement =
        "UPDATE latest_derivation SET derived_at = ? WHERE id = 1 AND derived_at = ?"
    /// The definitions of an app with their products, one row per product; a null means no product. The reader sorts
    /// them by position, because SQLite would need a temporary table.
    package static let definitions: SQLiteStatement = """
        SELECT d.entitlement_id, p.product_id, d.billing_retry_grace_days, p.position FROM entitlement_definitions d
        LEFT JOIN entitlement_products p ON p.app_id = d.app_id AND p.entitlement_id = d.entitlement_id
        WHERE d.app_id = ? ORDER BY d.entitlement_id
        """
    static let saveDefinition: SQLiteStatement = """
        INSERT INTO entitlement_definitions (app_id, entitlement_id, billing_retry_grace_days) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET billing_retry_grace_days = excluded.billing_retry_grace_days
        """
    static let clearProducts: SQLiteStatement =
        "DELETE FROM entitlement_products WHERE app_id = ? AND entitlement_id = ?"
    static let saveProduct: SQLiteStatement =
        insertion("INSERT", "entitlement_products", "app_id, entitlement_id, position, product_id")

    // MARK: Evidence

    /// A header with the same bytes.
    package static let header: SQLiteStatement =
        "SELECT header_id FROM evidence_headers WHERE app_id = ? AND checksum = ? AND bytes = ?"
    /// The number of an app's next header.
    package static let nextHeader: SQLiteStatement =
        "SELECT coalesce(max(header_id), 0) + 1 FROM evidence_headers WHERE app_id = ?"
    static let insertHeader: SQLiteStatement =
        insertion("INSERT", "evidence_headers", "app_id, header_id, checksum, bytes")

    static let unknownNotifications: SQLiteStatement = """
        SELECT type, subtype, count, last_received_at FROM unknown_notifications
        WHERE app_id = ? ORDER BY type, subtype
        """
    static let countUnknownNotification: SQLiteStatement = """
        INSERT INTO unknown_notifications (app_id, type, subtype, count, last_received_at) VALUES (?, ?, ?, 1, ?)
        ON CONFLICT DO UPDATE SET count = count + 1, last_received_at = excluded.last_received_at
        """

    // MARK: Purchases, customers, events

    /// The purchases of a customer.
    package static let purchasesOfCustomer: SQLiteStatement = """
        SELECT \(RecordColumns.purchase) FROM purchases INDEXED BY purchases_by_customer
        WHERE app_id = ? AND customer_id = ? ORDER BY original_transaction_id
        """
    /// The purchases of all apps that are due.
    package static let due: SQLiteStatement = """
        SELECT app_id, original_transaction_id, next_change_at FROM purchases
        WHERE next_change_at <= ?
        ORDER BY next_change_at, app_id, original_transaction_id LIMIT ?
        """
    /// A page of an app's purchases whose state was derived after a time. It scans the primary key.
    static let derivedLater: SQLiteStatement = """
        SELECT original_transaction_id FROM purchases
        WHERE app_id = ? AND original_transaction_id > ? AND evaluated_at > ? ORDER BY original_transaction_id LIMIT ?
        """

    /// The claims on a purchase.
    package static let claims: SQLiteStatement = """
        SELECT \(RecordColumns.claim) FROM claims
        WHERE app_id = ? AND original_transaction_id = ? ORDER BY sequence
        """
    /// The sequence number of a purchase's next claim.
    package static let nextClaim: SQLiteStatement =
        "SELECT coalesce(max(sequence), 0) + 1 FROM claims WHERE app_id = ? AND original_transaction_id = ?"
    static let insertClaim: SQLiteStatement = insertion(
        "INSERT",
        "claims",
        "app_id, original_transaction_id, sequence, customer_id, evidence_id, claimed_at, policy, standing"
    )

    /// A customer.
    package static let customer: SQLiteStatement =
        "SELECT \(RecordColumns.customer) FROM customers WHERE app_id = ? AND customer_id = ?"
    /// A page of the customers.
    package static let customers: SQLiteStatement = """
        SELECT \(RecordColumns.customer) FROM customers
        WHERE app_id = ? AND customer_id > ? ORDER BY customer_id LIMIT ?
        """
    static let saveCustomer: SQLiteStatement =
        insertion("INSERT OR REPLACE", "customers", "app_id, \(RecordColumns.customer)")

    /// Checks whether an app has any grant.
    package static let anyGrant: SQLiteStatement = "SELECT 1 FROM grants WHERE app_id = ? LIMIT 1"
    /// The grants of a customer.
    package static let grants: SQLiteStatement =
        "SELECT \(RecordColumns.grant) FROM grants WHERE app_id = ? AND customer_id = ? ORDER BY grant_id"
    /// The grants of all apps that are due.
    package static let dueGrants: SQLiteStatement = """
        SELECT app_id, customer_id, grant_id, next_change_at FROM grants
        WHERE next_change_at <= ? ORDER BY next_change_at, app_id, customer_id, grant_id LIMIT ?
        """
    /// The grants that were recorded as ended too early. It scans all grants.
    static let endedGrants: SQLiteStatement = """
        SELECT app_id, customer_id, grant_id, expires_at FROM grants
        WHERE is_active = 0 AND revoked_at IS NULL AND expires_at > ?
        ORDER BY expires_at, app_id, customer_id, grant_id LIMIT ?
        """
    static let saveGrant: SQLiteStatement =
        upsert("grants", key: "app_id, customer_id, grant_id", of: "app_id, \(RecordColumns.grant), next_change_at")

    /// A page of the events.
    package static let events: SQLiteStatement = """
        SELECT \(RecordColumns.event) FROM events
        WHERE app_id = ? AND sequence > ? ORDER BY sequence LIMIT ?
        """
    /// The sequence number of an app's next event.
    package static let nextEvent: SQLiteStatement = "SELECT coalesce(max(sequence), 0) + 1 FROM events WHERE app_id = ?"
    static let insertEvent: SQLiteStatement = insertion(
        "INSERT",
        "events",
        "app_id, \(RecordColumns.event)"
    )

    /// The queries that run at least once per request or notification, by name: each must use an index.
    package static let hot: [(name: String, query: SQLiteStatement)] = [
        ("definitions", definitions), ("hasEvidence", hasEvidence), ("evidence", evidence),
        ("evidenceAt", evidenceAt), ("previousEvidence", previousEvidence), ("evidenceList", evidenceList),
        ("nextEvidence", nextEvidence), ("appNumber", appNumber), ("header", header),
        ("nextHeader", nextHeader), ("earlierTransactions", earlierTransactions),
        ("purchase", purchase), ("updatePurchase", updatePurchase), ("updateDuePurchase", updateDuePurchase),
        ("purchasesOfCustomer", purchasesOfCustomer), ("due", due), ("customer", customer),
        ("customers", customers),
        ("events", events), ("nextEvent", nextEvent), ("claims", claims), ("nextClaim", nextClaim),
        ("grants", grants), ("anyGrant", anyGrant), ("anyShare", anyShare), ("dueGrants", dueGrants),
        ("purchasesOfAppTransaction", purchasesOfAppTransaction),
        ("alias", alias),
        ("sharedPurchases", sharedPurchases), ("sharers", sharers), ("hasClaim", hasClaim),
        ("claimsOfCustomer", claimsOfCustomer),
        ("aliases", aliases),
        ("purchasesOfTransaction", purchasesOfTransaction), ("indexedTransactions", indexedTransactions),
        ("evidencePage", evidencePage), ("purchasePage", purchasePage),
    ]

    static func insertion(_ verb: String, _ table: String, _ columns: String) -> SQLiteStatement {
        let placeholders = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
        return "\(verb) INTO \(table) (\(columns)) VALUES (\(placeholders))"
    }

    /// Adds a row or updates the existing one with the same key, so that indexes of unchanged columns are not written.
    static func upsert(_ table: String, key: String, of columns: String) -> SQLiteStatement {
        let keys = Set(key.split(separator: ", "))
        let changed = columns.split(separator: ", ").filter { !keys.contains($0) }
        let changes = changed.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return "\(insertion("INSERT", table, columns).text) ON CONFLICT (\(key)) DO UPDATE SET \(changes)"
    }
}
