import SubscriptionCore
import SubscriptionStorage

extension SQLiteTables {
    /// Claims with their transfer policy, shares, and transfers by customer.
    static let ownership = [
        "ALTER TABLE claims ADD COLUMN policy TEXT",
        "DROP INDEX claims_once",
        "CREATE INDEX claims_by_customer ON claims (app_id, customer_id, original_transaction_id, evidence_id)",
        """
        CREATE TABLE purchase_shares (
            app_id TEXT NOT NULL,
            customer_id TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            PRIMARY KEY (app_id, customer_id, original_transaction_id)
        ) STRICT, WITHOUT ROWID
        """,
    ]

    /// The sharers of a purchase.
    static let sharers = [
        "CREATE INDEX purchase_shares_by_purchase ON purchase_shares (app_id, original_transaction_id)"
    ]
}

extension SQLiteQuery {
    /// Checks whether a claim is stored.
    package static let hasClaim: SQLiteStatement = """
        SELECT 1 FROM claims
        WHERE app_id = ? AND original_transaction_id = ? AND customer_id = ? AND evidence_id = ? LIMIT 1
        """
    /// The claims of a customer.
    package static let claimsOfCustomer: SQLiteStatement = """
        SELECT \(RecordColumns.claim) FROM claims INDEXED BY claims_by_customer
        WHERE app_id = ? AND customer_id = ?
        """
    /// The purchases that are shared with a customer.
    package static let sharedPurchases: SQLiteStatement = """
        SELECT p.original_transaction_id, p.customer_id, p.claim, p.evaluated_at, p.state,
            p.app_transaction_id
        FROM purchase_shares s
        JOIN purchases p ON p.app_id = s.app_id AND p.original_transaction_id = s.original_transaction_id
        WHERE s.app_id = ? AND s.customer_id = ?
        """
    /// The sharers of a purchase.
    package static let sharers: SQLiteStatement = """
        SELECT customer_id FROM purchase_shares INDEXED BY purchase_shares_by_purchase
        WHERE app_id = ? AND original_transaction_id = ? ORDER BY customer_id
        """
    /// Checks whether an app has any share.
    package static let anyShare: SQLiteStatement = "SELECT 1 FROM purchase_shares WHERE app_id = ? LIMIT 1"
    static let share: SQLiteStatement = """
        INSERT OR IGNORE INTO purchase_shares (app_id, customer_id, original_transaction_id) VALUES (?, ?, ?)
        """
    static let unshare: SQLiteStatement =
        "DELETE FROM purchase_shares WHERE app_id = ? AND customer_id = ? AND original_transaction_id = ?"
}

extension SQLiteReading {
    func claims(by customer: CustomerID, app: AppID) throws(StorageError) -> [ClaimRecord] {
        let key: [ColumnValue] = [.text(app), .text(customer)]
        return try connection.rows(SQLiteQuery.claimsOfCustomer, key, decode: ClaimRecord.init(row:)).inOrderOfTime
    }

    func sharers(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> [CustomerID] {
        guard try has(&connection.haveShares, SQLiteQuery.anyShare, of: app) else { return [] }
        return try connection.rows(SQLiteQuery.sharers, [.text(app), .text(purchase)]) { row in try row.identifier(0) }
    }
}

extension SQLiteWriter {
    func append(_ claim: ClaimRecord, of app: AppID) throws(StorageError) {
        let key: [ColumnValue] = [.text(app), .text(claim.purchaseID)]
        let sequence = try connection.row(SQLiteQuery.nextClaim, key) { row in try row.integer(0) } ?? 1
        let values: [ColumnValue] = [
            .integer(sequence), .text(claim.customerID), .text(claim.evidenceID), .time(claim.claimedAt),
            .text(claim.policy), claim.strength,
        ]
        try connection.run(SQLiteQuery.insertClaim, key + values)
    }

    func share(_ purchase: OriginalTransactionID, with customer: CustomerID, app: AppID) throws(StorageError) {
        connection.haveShares[app] = true
        try connection.run(SQLiteQuery.share, [.text(app), .text(customer), .text(purchase)])
    }

    func unshare(_ purchase: OriginalTransactionID, with customer: CustomerID, app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.unshare, [.text(app), .text(customer), .text(purchase)])
    }
}
