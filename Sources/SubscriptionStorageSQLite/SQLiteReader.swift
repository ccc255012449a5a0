import SubscriptionCore
import SubscriptionStorage

/// The reads through a connection, shared by the reader and the writer.
protocol SQLiteReading: StorageReading {
    var connection: SQLiteConnection { get }
}

/// A read transaction.
struct SQLiteReader: SQLiteReading {
    let connection: SQLiteConnection
}

extension SQLiteReading {
    func entitlementDefinitions(of app: AppID) throws(StorageError) -> [EntitlementDefinition] {
        if let known = connection.definitions[app] { return known }
        let rows = try connection.rows(SQLiteQuery.definitions, [.text(app)]) { row in
            (
                position: try row.optionalCount(3) ?? 0,
                values: (
                    id: try row.identifier(0) as EntitlementID,
                    product: try row.optionalIdentifier(1) as ProductID?,
                    days: try row.optionalCount(2)
                )
            )
        }
        let ordered = rows.sorted { ($0.values.id, $0.position) < ($1.values.id, $1.position) }
        let definitions = EntitlementDefinition.definitions(ordered.map(\.values))
        connection.definitions[app] = definitions
        return definitions
    }
}

extension SQLiteReading {
    func unknownNotifications(of app: AppID) throws(StorageError) -> [UnknownNotificationCount] {
        try connection.rows(
            SQLiteQuery.unknownNotifications,
            [.text(app)],
            decode: UnknownNotificationCount.init(row:)
        )
    }

    func claims(on purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> [ClaimRecord] {
        try connection.rows(SQLiteQuery.claims, [.text(app), .text(purchase)], decode: ClaimRecord.init(row:))
    }

    func purchases(of customer: CustomerID, app: AppID) throws(StorageError) -> [PurchaseRecord] {
        let key: [ColumnValue] = [.text(app), .text(customer)]
        let own = try connection.rows(SQLiteQuery.purchasesOfCustomer, key, decode: PurchaseRecord.init(row:))
        guard try has(&connection.haveShares, SQLiteQuery.anyShare, of: app) else { return own }
        let shared = try connection.rows(SQLiteQuery.sharedPurchases, key, decode: PurchaseRecord.init(row:))
        return shared.isEmpty ? own : own.joined(with: shared)
    }

    func customer(_ id: CustomerID, of app: AppID) throws(StorageError) -> CustomerRecord? {
        try connection.row(SQLiteQuery.customer, [.text(app), .text(id)], decode: CustomerRecord.init(row:))
    }

    func customers(of app: AppID, after id: CustomerID?, limit: Int) throws(StorageError) -> [CustomerRecord] {
        // No identifier is empty, so the empty text comes before all of them.
        let values: [ColumnValue] = [.text(app), .text(id ?? CustomerID("")), .integer(max(0, limit))]
        return try connection.rows(SQLiteQuery.customers, values, decode: CustomerRecord.init(row:))
    }

    func duePurchases(until time: Timestamp, limit: Int) throws(StorageError) -> [DuePurchase] {
        try connection.rows(SQLiteQuery.due, [.time(time), .integer(max(0, limit))]) { row in
            DuePurchase(appID: try row.identifier(0), id: try row.identifier(1), dueAt: try row.time(2))
        }
    }

    func events(of app: AppID, after sequence: Int64, limit: Int) throws(StorageError) -> [EventRecord] {
        let values: [ColumnValue] = [.text(app), .integer(sequence), .integer(max(0, limit))]
        return try connection.rows(SQLiteQuery.events, values, decode: EventRecord.init(row:))
    }
}
