import SubscriptionCore
import SubscriptionStorage

extension SQLiteReading {
    func grants(of customer: CustomerID, app: AppID) throws(StorageError) -> [GrantRecord] {
        try connection.rows(SQLiteQuery.grants, [.text(app), .text(customer)], decode: GrantRecord.init(row:))
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
        try connection.run(SQLiteQuery.saveGrant, [.text(app)] + record.columns)
    }

    func save(_ record: IdempotencyRecord, of app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.saveRequest, [.text(app)] + record.columns)
    }

    func removeIdempotencyRecord(_ key: String, of app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.removeRequest, [.text(app), .text(key)])
    }

    func removeIdempotencyRecords(before instant: Timestamp, limit: Int, of app: AppID) throws(StorageError) {
        let values: [ColumnValue] = [.text(app), .text(app), .time(instant), .integer(max(0, limit))]
        try connection.run(SQLiteQuery.removeRequests, values)
    }
}
