import SubscriptionCore
import SubscriptionStorage

/// A write transaction. SQLite has one at a time, so the next sequence number is one after the last.
struct SQLiteWriter: SQLiteReading {
    let connection: SQLiteConnection
}

extension SQLiteWriter: StorageWriting {
    func save(_ definition: EntitlementDefinition, of app: AppID) throws(StorageError) {
        connection.definitions[app] = nil
        let key: [ColumnValue] = [.text(app), .text(definition.id)]
        try connection.run(SQLiteQuery.saveDefinition, key + [.integer(definition.billingRetryGraceDays)])
        try connection.run(SQLiteQuery.clearProducts, key)
        for (position, product) in definition.productIDs.enumerated() {
            try connection.run(SQLiteQuery.saveProduct, key + [.integer(position), .text(product)])
        }
    }

    func countUnknownNotification(
        _ type: String,
        _ subtype: String?,
        receivedAt: Timestamp,
        of app: AppID
    ) throws(StorageError) {
        // The subtype is part of the key, so it is never null.
        let values: [ColumnValue] = [
            .text(app), .text(type), .text(subtype ?? ""), .time(receivedAt),
        ]
        try connection.run(SQLiteQuery.countUnknownNotification, values)
    }

    func insert(_ claim: ClaimRecord, of app: AppID) throws(StorageError) {
        let same: [ColumnValue] = [
            .text(app), .text(claim.purchaseID), .text(claim.customerID), .text(claim.evidenceID),
        ]
        guard try connection.row(SQLiteQuery.hasClaim, same, decode: { _ in true }) == nil else { return }
        try append(claim, of: app)
    }

    func save(_ customer: CustomerRecord, of app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.saveCustomer, try customer.columns.prefixed(by: app))
        connection.savedCustomers.append((customer.id, app))
    }

    func append(
        _ events: [SubscriptionEvent],
        customer: CustomerRecord?,
        recordedAt: Timestamp,
        app: AppID
    ) throws(StorageError) {
        guard !events.isEmpty else { return }
        for event in events {
            let sequence = try nextEventSequence(of: app)
            let values: [ColumnValue] = [
                .text(app), .integer(sequence), .text(customer?.id),
                .integer(customer?.stateVersion), .time(recordedAt), .bytes(event.compactBytes),
            ]
            try connection.run(SQLiteQuery.insertEvent, values)
        }
    }

    /// Returns the next sequence number of an app's events. Only one write runs at a time, so the last one is looked up
    /// once per transaction.
    private func nextEventSequence(of app: AppID) throws(StorageError) -> Int64 {
        let sequence: Int64
        if let next = connection.nextEvent[app] {
            sequence = next
        } else {
            sequence = try next(SQLiteQuery.nextEvent, of: app)
        }
        connection.nextEvent[app] = sequence + 1
        return sequence
    }

    private func next(_ query: SQLiteStatement, of app: AppID) throws(StorageError) -> Int64 {
        try connection.row(query, [.text(app)]) { row in try row.integer(0) } ?? 1
    }

    /// The number of a header, which is stored if it is new; nil for an input without one.
    func header(_ bytes: ArraySlice<UInt8>?, of app: AppID) throws(StorageError) -> Int64? {
        guard let bytes else { return nil }
        if let known = connection.header(bytes, of: app) { return known }
        let content: [ColumnValue] = [.integer(SplitJWS.checksum(bytes)), .blob(bytes)]
        let stored = try connection.row(SQLiteQuery.header, [.text(app)] + content, decode: { try $0.integer(0) })
        let number: Int64
        if let stored { number = stored } else { number = try next(SQLiteQuery.nextHeader, of: app) }
        if stored == nil { try connection.run(SQLiteQuery.insertHeader, [.text(app), .integer(number)] + content) }
        connection.newHeaders.remember(number, of: bytes, app: app)
        return number
    }
}

extension [ColumnValue] {
    /// The columns after the app, which is the first column of every table.
    consuming func prefixed(by app: AppID) -> [ColumnValue] {
        insert(.text(app), at: 0)
        return self
    }
}
