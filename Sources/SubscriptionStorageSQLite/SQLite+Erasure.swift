import SubscriptionCore
import SubscriptionStorage

extension SQLiteTables {
    /// Keys that sign what the server says.
    static let signingKeys = [
        """
        CREATE TABLE signing_keys (
            key_id TEXT NOT NULL PRIMARY KEY,
            private_key BLOB,
            public_key BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            retired_at INTEGER
        ) STRICT, WITHOUT ROWID
        """
    ]

    /// Whom a kept answer names, so that it can be forgotten with them.
    static let answeredCustomers = [
        "ALTER TABLE idempotency_keys ADD COLUMN customer_id TEXT",
        "ALTER TABLE idempotency_keys ADD COLUMN other_customer_id TEXT",
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

extension SQLiteQuery {
    static let eventsAboutCustomer: SQLiteStatement = """
        SELECT \(RecordColumns.event) FROM events
        WHERE app_id = ? AND sequence > ? AND sequence <= ? AND customer_id = ? ORDER BY sequence
        """
    static let lastEvent: SQLiteStatement = "SELECT coalesce(max(sequence), 0) FROM events WHERE app_id = ?"
    static let replaceEvent: SQLiteStatement = """
        UPDATE events SET customer_id = ?, state_version = ?, event = ? WHERE app_id = ? AND sequence = ?
        """
    static let removeClaimsOfCustomer: SQLiteStatement = "DELETE FROM claims WHERE app_id = ? AND customer_id = ?"
    static let removeClaimsOfPurchase: SQLiteStatement =
        "DELETE FROM claims WHERE app_id = ? AND original_transaction_id = ?"
    static let signingKeys: SQLiteStatement = """
        SELECT key_id, private_key, public_key, created_at, retired_at FROM signing_keys ORDER BY created_at, key_id
        """
    static let saveSigningKey: SQLiteStatement = """
        INSERT OR REPLACE INTO signing_keys (key_id, private_key, public_key, created_at, retired_at)
        VALUES (?, ?, ?, ?, ?)
        """
}

extension SQLiteReading {
    func events(
        about customer: CustomerID,
        of app: AppID,
        after sequence: Int64,
        through end: Int64
    ) throws(StorageError) -> [EventRecord] {
        let values: [ColumnValue] = [.text(app), .integer(sequence), .integer(end), .text(customer)]
        return try connection.rows(SQLiteQuery.eventsAboutCustomer, values, decode: EventRecord.init(row:))
    }

    func lastEvent(of app: AppID) throws(StorageError) -> Int64 {
        try connection.row(SQLiteQuery.lastEvent, [.text(app)]) { row in try row.integer(0) } ?? 0
    }

    func signingKeys() throws(StorageError) -> [SigningKeyRecord] {
        try connection.rows(SQLiteQuery.signingKeys, [], decode: SigningKeyRecord.init(row:))
    }
}

extension SQLiteWriter {
    func save(_ event: EventRecord, of app: AppID) throws(StorageError) {
        let values: [ColumnValue] = [
            .text(event.customerID), .integer(event.stateVersion), .bytes(event.event.compactBytes),
            .text(app), .integer(event.sequence),
        ]
        try connection.run(SQLiteQuery.replaceEvent, values)
    }

    func removeClaims(by customer: CustomerID, app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.removeClaimsOfCustomer, [.text(app), .text(customer)])
    }

    func removeClaims(on purchase: OriginalTransactionID, app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.removeClaimsOfPurchase, [.text(app), .text(purchase)])
    }

    func save(_ key: SigningKeyRecord) throws(StorageError) {
        try connection.run(SQLiteQuery.saveSigningKey, key.columns)
    }
}
