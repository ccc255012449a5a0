import SubscriptionCore
import SubscriptionStorage

extension SQLiteTables {
    /// Aliases and profiles of customers.
    static let aliases = [
        """
        CREATE TABLE aliases (
            app_id TEXT NOT NULL,
            alias_id TEXT NOT NULL,
            customer_id TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (app_id, alias_id)
        ) STRICT, WITHOUT ROWID
        """,
        "ALTER TABLE customers ADD COLUMN profile TEXT",
    ]
}

extension SQLiteQuery {
    /// The customer of an alias.
    package static let alias: SQLiteStatement =
        "SELECT customer_id, created_at FROM aliases WHERE app_id = ? AND alias_id = ?"
    /// The number of identifiers in one statement.
    static let aliasesAtOnce = 32
    /// The customers of several aliases.
    package static let aliases: SQLiteStatement = """
        SELECT alias_id, customer_id, created_at FROM aliases
        WHERE app_id = ? AND alias_id IN (\(Array(repeating: "?", count: aliasesAtOnce).joined(separator: ", ")))
        """
    static let saveAlias: SQLiteStatement = """
        INSERT OR REPLACE INTO aliases (app_id, alias_id, customer_id, created_at) VALUES (?, ?, ?, ?)
        """
    static let removeAlias: SQLiteStatement = "DELETE FROM aliases WHERE app_id = ? AND alias_id = ?"
    static let removeCustomer: SQLiteStatement = "DELETE FROM customers WHERE app_id = ? AND customer_id = ?"
    static let removeGrants: SQLiteStatement = "DELETE FROM grants WHERE app_id = ? AND customer_id = ?"
}

extension SQLiteReading {
    func alias(_ id: CustomerID, of app: AppID) throws(StorageError) -> AliasRecord? {
        try connection.row(SQLiteQuery.alias, [.text(app), .text(id)]) { row in
            AliasRecord(id: id, customerID: try row.identifier(0), createdAt: try row.time(1))
        }
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
    func save(_ alias: AliasRecord, of app: AppID) throws(StorageError) {
        let values: [ColumnValue] = [
            .text(app), .text(alias.id), .text(alias.customerID), .time(alias.createdAt),
        ]
        try connection.run(SQLiteQuery.saveAlias, values)
    }

    func removeAlias(_ id: CustomerID, of app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.removeAlias, [.text(app), .text(id)])
    }

    func removeCustomer(_ id: CustomerID, of app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.removeCustomer, [.text(app), .text(id)])
        connection.savedCustomers.append((id, app))
    }

    func removeGrants(of customer: CustomerID, app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.removeGrants, [.text(app), .text(customer)])
    }
}
