import SubscriptionCore
import SubscriptionStorage

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
}
