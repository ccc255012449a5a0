import SubscriptionCore
import SubscriptionStorage

extension SQLiteReading {
    func purchases(
        derivedAfter time: Timestamp,
        of app: AppID,
        after id: OriginalTransactionID?,
        limit: Int
    ) throws(StorageError) -> [OriginalTransactionID] {
        // No identifier is empty, so the empty text comes before all of them.
        let values: [ColumnValue] = [
            .text(app), .text(id ?? OriginalTransactionID("")), .time(time), .integer(max(0, limit)),
        ]
        return try connection.rows(SQLiteQuery.derivedLater, values) { row in try row.identifier(0) }
    }

    func grants(endedBefore time: Timestamp, limit: Int) throws(StorageError) -> [DueGrant] {
        try connection.rows(SQLiteQuery.endedGrants, [.time(time), .integer(max(0, limit))]) { row in
            DueGrant(
                appID: try row.identifier(0),
                customerID: try row.identifier(1),
                id: try row.identifier(2),
                dueAt: try row.time(3)
            )
        }
    }

    func databaseTime() throws(StorageError) -> Timestamp? { nil }

    func latestDerivation() throws(StorageError) -> Timestamp? {
        try connection.row(SQLiteQuery.latestDerivation, []) { row in try row.time(0) }
    }

    func purpose() throws(StorageError) -> DatabasePurpose? {
        try connection.row(SQLiteQuery.purpose, [], decode: DatabasePurpose.init(row:))
    }
}

extension SQLiteWriter {
    func save(_ purpose: DatabasePurpose) throws(StorageError) {
        try connection.run(SQLiteQuery.savePurpose, purpose.columns)
    }

    func noteDerivation(at time: Timestamp) throws(StorageError) {
        try connection.run(SQLiteQuery.noteDerivation, [.time(time)])
    }

    func lowerLatestDerivation(from noted: Timestamp, to time: Timestamp) throws(StorageError) {
        try connection.run(SQLiteQuery.lowerLatestDerivation, [.time(time), .time(noted)])
    }
}
