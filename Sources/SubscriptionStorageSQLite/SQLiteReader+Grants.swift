import SubscriptionCore
import SubscriptionStorage

extension SQLiteReading {
    func grants(of customer: CustomerID, app: AppID) throws(StorageError) -> [GrantRecord] {
        guard try has(&connection.haveGrants, SQLiteQuery.anyGrant, of: app) else { return [] }
        return try connection.rows(SQLiteQuery.grants, [.text(app), .text(customer)], decode: GrantRecord.init(row:))
    }

    /// Whether an app has any row of a kind.
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

    func dueGrants(until instant: Timestamp, limit: Int) throws(StorageError) -> [DueGrant] {
        try connection.rows(SQLiteQuery.dueGrants, [.time(instant), .integer(max(0, limit))]) { row in
            DueGrant(
                appID: try row.identifier(0),
                customerID: try row.identifier(1),
                id: try row.identifier(2),
                dueAt: try row.time(3)
            )
        }
    }

    func idempotencyRecord(_ key: String, of app: AppID) throws(StorageError) -> IdempotencyRecord? {
        try connection.row(SQLiteQuery.request, [.text(app), .text(key)]) { row in
            try IdempotencyRecord(row: row, key: key)
        }
    }
}

extension SQLiteWriter {
    func save(_ record: GrantRecord, of app: AppID) throws(StorageError) {
        connection.haveGrants[app] = true
        try connection.run(SQLiteQuery.saveGrant, [.text(app)] + record.columns)
    }

    func save(_ record: IdempotencyRecord, of app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.saveRequest, [.text(app)] + record.columns)
    }

    func removeIdempotencyRecord(_ key: String, of app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.removeRequest, [.text(app), .text(key)])
    }

    func removeIdempotencyRecords(about customer: CustomerID, of app: AppID) throws(StorageError) {
        for query in [SQLiteQuery.removeRequestsAbout, SQLiteQuery.removeRequestsAboutOther] {
            try connection.run(query, [.text(app), .text(customer)])
        }
    }

    func removeIdempotencyRecords(before instant: Timestamp, limit: Int, of app: AppID) throws(StorageError) {
        let values: [ColumnValue] = [.text(app), .text(app), .time(instant), .integer(max(0, limit))]
        try connection.run(SQLiteQuery.removeRequests, values)
    }
}
