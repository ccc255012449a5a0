import SubscriptionCore
import SubscriptionStorage

extension SQLiteTables {
    /// What a claim counts for, and the claims that count for nothing.
    static let refusedClaims = [
        "ALTER TABLE claims ADD COLUMN standing TEXT",
        """
        CREATE TABLE refused_claims (
            app_id TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            customer_id TEXT NOT NULL,
            evidence_id TEXT NOT NULL,
            claimed_at INTEGER NOT NULL,
            policy TEXT NOT NULL,
            reason TEXT NOT NULL,
            dropped_before INTEGER NOT NULL,
            PRIMARY KEY (app_id, original_transaction_id, customer_id)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX refused_claims_by_customer ON refused_claims (app_id, customer_id, original_transaction_id)",
    ]
}

extension SQLiteQuery {
    /// How many identifiers are looked up with one statement.
    static let aliasesAtOnce = 32

    /// The claims on a purchase that were refused.
    package static let refusedClaims: SQLiteStatement = """
        SELECT \(RecordColumns.refusedClaim) FROM refused_claims WHERE app_id = ? AND original_transaction_id = ?
        """
    /// The claims of a customer that were refused.
    package static let refusedClaimsOfCustomer: SQLiteStatement = """
        SELECT \(RecordColumns.refusedClaim) FROM refused_claims INDEXED BY refused_claims_by_customer
        WHERE app_id = ? AND customer_id = ?
        """
    /// Whether any claim was refused in an app.
    package static let anyRefusedClaim: SQLiteStatement = "SELECT 1 FROM refused_claims WHERE app_id = ? LIMIT 1"
    static let saveRefusedClaim: SQLiteStatement = """
        INSERT OR REPLACE INTO refused_claims (app_id, \(RecordColumns.refusedClaim)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
    static let removeRefusedClaim: SQLiteStatement =
        "DELETE FROM refused_claims WHERE app_id = ? AND original_transaction_id = ? AND customer_id = ?"
    /// Whom several identifiers stand for.
    package static let aliases: SQLiteStatement = """
        SELECT alias_id, customer_id, created_at FROM aliases
        WHERE app_id = ? AND alias_id IN (\(Array(repeating: "?", count: aliasesAtOnce).joined(separator: ", ")))
        """
}

extension SQLiteReading {
    func refusedClaims(on purchases: [OriginalTransactionID], app: AppID) throws(StorageError) -> [RefusedClaim] {
        try refusedClaims(SQLiteQuery.refusedClaims, purchases.map { .text($0) }, app: app)
    }

    func refusedClaims(by customers: [CustomerID], app: AppID) throws(StorageError) -> [RefusedClaim] {
        try refusedClaims(SQLiteQuery.refusedClaimsOfCustomer, customers.map { .text($0) }, app: app)
    }

    private func refusedClaims(
        _ query: SQLiteStatement,
        _ keys: [ColumnValue],
        app: AppID
    ) throws(StorageError) -> [RefusedClaim] {
        guard try has(&connection.haveRefusedClaims, SQLiteQuery.anyRefusedClaim, of: app) else { return [] }
        var found: [RefusedClaim] = []
        for key in keys { found += try connection.rows(query, [.text(app), key], decode: RefusedClaim.init(row:)) }
        return found.inOrderOfTime
    }

    func aliases(_ ids: Set<CustomerID>, of app: AppID) throws(StorageError) -> [AliasRecord] {
        let ids = ids.sorted()
        var found: [AliasRecord] = []
        for start in stride(from: 0, to: ids.count, by: SQLiteQuery.aliasesAtOnce) {
            let part = ids[start..<min(start + SQLiteQuery.aliasesAtOnce, ids.count)]
            var values = part.map { ColumnValue.text($0) }
            values += Array(repeating: .text(ids[start]), count: SQLiteQuery.aliasesAtOnce - part.count)
            found += try connection.rows(SQLiteQuery.aliases, [.text(app)] + values) { row in
                AliasRecord(id: try row.identifier(0), customerID: try row.identifier(1), createdAt: try row.time(2))
            }
        }
        return found
    }
}

extension SQLiteWriter {
    func save(_ refused: RefusedClaim, of app: AppID) throws(StorageError) {
        connection.haveRefusedClaims[app] = true
        try connection.run(SQLiteQuery.saveRefusedClaim, [.text(app)] + refused.columns)
    }

    func removeRefusedClaim(
        on purchase: OriginalTransactionID,
        by customer: CustomerID,
        app: AppID
    ) throws(StorageError) {
        try connection.run(SQLiteQuery.removeRefusedClaim, [.text(app), .text(purchase), .text(customer)])
    }
}
