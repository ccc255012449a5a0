import SubscriptionStorage

/// Every statement that the engine runs, by name, so that a test can ask SQLite how it would run each.
///
/// Where a table has a primary key that leads with the app and an index that leads further, the index is named: SQLite
/// supposes that an app has about ten rows, and goes through all of them instead.
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
    /// The definitions of an app with their products, one row per product; no product is a null. SQLite would sort them
    /// by position in a table of its own: the reader does.
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
    /// The purchases that the clock changes, of all apps.
    package static let due: SQLiteStatement = """
        SELECT app_id, original_transaction_id, next_change_at FROM purchases
        WHERE next_change_at <= ?
        ORDER BY next_change_at, app_id, original_transaction_id LIMIT ?
        """
    /// A page of an app's purchases whose state was derived later than an instant. It goes through the primary key.
    static let derivedLater: SQLiteStatement = """
        SELECT original_transaction_id FROM purchases
        WHERE app_id = ? AND original_transaction_id > ? AND evaluated_at > ? ORDER BY original_transaction_id LIMIT ?
        """

    /// The claims on a purchase.
    package static let claims: SQLiteStatement = """
        SELECT \(RecordColumns.claim) FROM claims
        WHERE app_id = ? AND original_transaction_id = ? ORDER BY sequence
        """
    /// The place of a purchase's next claim.
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

    /// Whether an app has any grant.
    package static let anyGrant: SQLiteStatement = "SELECT 1 FROM grants WHERE app_id = ? LIMIT 1"
    /// The grants of a customer.
    package static let grants: SQLiteStatement =
        "SELECT \(RecordColumns.grant) FROM grants WHERE app_id = ? AND customer_id = ? ORDER BY grant_id"
    /// The grants that the clock ends, of all apps.
    package static let dueGrants: SQLiteStatement = """
        SELECT app_id, customer_id, grant_id, next_change_at FROM grants
        WHERE next_change_at <= ? ORDER BY next_change_at, app_id, customer_id, grant_id LIMIT ?
        """
    /// The grants that were recorded as ended before their time. It goes through all of them.
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
    /// The place of an app's next event.
    package static let nextEvent: SQLiteStatement = "SELECT coalesce(max(sequence), 0) + 1 FROM events WHERE app_id = ?"
    static let insertEvent: SQLiteStatement = insertion(
        "INSERT",
        "events",
        "app_id, \(RecordColumns.event)"
    )

    /// The queries that run once or more per request or notification, by name: each must use an index.
    package static let hot: [(name: String, query: SQLiteStatement)] = [
        ("definitions", definitions), ("holdsEvidence", holdsEvidence), ("evidence", evidence),
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
        ("sharedPurchases", sharedPurchases), ("sharers", sharers), ("holdsClaim", holdsClaim),
        ("claimsOfCustomer", claimsOfCustomer),
        ("aliases", aliases),
        ("purchasesOfTransaction", purchasesOfTransaction),
    ]

    static func insertion(_ verb: String, _ table: String, _ columns: String) -> SQLiteStatement {
        let places = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
        return "\(verb) INTO \(table) (\(columns)) VALUES (\(places))"
    }

    /// Adds a row, or changes the one with the same key where it is, so that indexes on what stays are left alone.
    static func upsert(_ table: String, key: String, of columns: String) -> SQLiteStatement {
        let keys = Set(key.split(separator: ", "))
        let changed = columns.split(separator: ", ").filter { !keys.contains($0) }
        let changes = changed.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return "\(insertion("INSERT", table, columns).text) ON CONFLICT (\(key)) DO UPDATE SET \(changes)"
    }
}
