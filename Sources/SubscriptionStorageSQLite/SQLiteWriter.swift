import SubscriptionCore
import SubscriptionStorage

/// A write transaction. SQLite has one at a time, so the next place in an order is one after the last.
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

    func countUnknownNotification(_ evidence: EvidenceRecord) throws(StorageError) {
        // A part of the key, so that it is never null.
        let values: [ColumnValue] = [
            .text(evidence.appID), .text(evidence.type ?? ""), .text(evidence.subtype ?? ""),
            .time(evidence.receivedAt),
        ]
        try connection.run(SQLiteQuery.countUnknownNotification, values)
    }

    func insert(_ claim: ClaimRecord, of app: AppID) throws(StorageError) {
        let same: [ColumnValue] = [
            .text(app), .text(claim.purchaseID), .text(claim.customerID), .text(claim.evidenceID),
        ]
        guard try connection.row(SQLiteQuery.holdsClaim, same, decode: { _ in true }) == nil else { return }
        try append(claim, of: app)
    }

    func save(_ customer: CustomerRecord, of app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.saveCustomer, try customer.columns.behind(app))
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
            let place = try place(of: app)
            let values: [ColumnValue] = [
                .text(app), .integer(place), .text(customer?.id),
                .integer(customer?.stateVersion), .time(recordedAt), .bytes(event.compactBytes),
            ]
            try connection.run(SQLiteQuery.insertEvent, values)
        }
    }

    /// Takes the next place in an app's order of events. No other write takes one before this transaction ends, so that
    /// the last is looked up once in it.
    private func place(of app: AppID) throws(StorageError) -> Int64 {
        let place: Int64
        if let next = connection.nextEvent[app] {
            place = next
        } else {
            place = try next(SQLiteQuery.nextEvent, of: app)
        }
        connection.nextEvent[app] = place + 1
        return place
    }

    private func next(_ query: SQLiteStatement, of app: AppID) throws(StorageError) -> Int64 {
        try connection.row(query, [.text(app)]) { row in try row.integer(0) } ?? 1
    }

    /// The number of a header, kept if it is new; nil for an input without one.
    func header(_ bytes: ArraySlice<UInt8>?, of app: AppID) throws(StorageError) -> Int64? {
        guard let bytes else { return nil }
        if let known = connection.header(bytes, of: app) { return known }
        let content: [ColumnValue] = [.integer(SplitJWS.checksum(bytes)), .blob(bytes)]
        let held = try connection.row(SQLiteQuery.header, [.text(app)] + content, decode: { try $0.integer(0) })
        let number: Int64
        if let held { number = held } else { number = try next(SQLiteQuery.nextHeader, of: app) }
        if held == nil { try connection.run(SQLiteQuery.insertHeader, [.text(app), .integer(number)] + content) }
        connection.newHeaders.remember(number, of: bytes, app: app)
        return number
    }
}

extension [ColumnValue] {
    /// The columns with the app before them, which leads every table.
    consuming func behind(_ app: AppID) -> [ColumnValue] {
        insert(.text(app), at: 0)
        return self
    }
}
