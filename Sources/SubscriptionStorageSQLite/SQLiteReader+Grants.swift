import SubscriptionCore
import SubscriptionStorage

extension SQLiteReading {
    func grants(of customer: CustomerID, app: AppID) throws(StorageError) -> [GrantRecord] {
        guard try has(&connection.haveGrants, SQLiteQuery.anyGrant, of: app) else { return [] }
        return try connection.rows(SQLiteQuery.grants, [.text(app), .text(customer)], decode: GrantRecord.init(row:))
    }

    /// Whether an app has any row, cached in `known`.
    func has(
        _ known: inout [AppID: Bool],
        _ query: SQLiteStatement,
        of app: AppID
    ) throws(StorageError) -> Bool {
        if let has = known[app] { return has }
        let has = try connection.row(query, [.text(app)], decode: { _ in true }) ?? false
        known[app] = has
        return has
    }

    func dueGrants(until time: Timestamp, limit: Int) throws(StorageError) -> [DueGrant] {
        try connection.rows(SQLiteQuery.dueGrants, [.time(time), .integer(max(0, limit))]) { row in
            DueGrant(
                appID: try row.identifier(0),
                customerID: try row.identifier(1),
                id: try row.identifier(2),
                dueAt: try row.time(3)
            )
        }
    }
}

extension SQLiteWriter {
    func save(_ record: GrantRecord, of app: AppID) throws(StorageError) {
        connection.haveGrants[app] = true
        try connection.run(SQLiteQuery.saveGrant, [.text(app)] + record.columns)
    }
}
