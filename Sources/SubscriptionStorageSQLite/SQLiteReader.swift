import SubscriptionCore
import SubscriptionStorage

/// What reads through a connection; the reader and the writer share it.
protocol SQLiteReading: StorageReading {
    var connection: SQLiteConnection { get }
}

/// A read transaction.
struct SQLiteReader: SQLiteReading {
    let connection: SQLiteConnection
}

extension SQLiteReading {
    func apps() throws(StorageError) -> [AppRecord] {
        try connection.rows(SQLiteQuery.apps, []) { row in
            AppRecord(
                bundleID: try row.text(0),
                environment: try row.choice(1),
                appleID: try row.optionalInteger(2)
            )
        }
    }

    func apiKey(digest: [UInt8]) throws(StorageError) -> APIKeyRecord? {
        try connection.row(SQLiteQuery.apiKey, [.bytes(digest)], decode: APIKeyRecord.init(row:))
    }

    func apiKeys(of app: AppID) throws(StorageError) -> [APIKeyRecord] {
        try connection.rows(SQLiteQuery.apiKeys, [.text(app)], decode: APIKeyRecord.init(row:))
    }

    func entitlementDefinitions(of app: AppID) throws(StorageError) -> [EntitlementDefinition] {
        if let known = connection.definitions[app] { return known }
        let rows = try connection.rows(SQLiteQuery.definitions, [.text(app)]) { row in
            (id: try row.identifier(0) as EntitlementID, product: try row.optionalIdentifier(1) as ProductID?)
        }
        let definitions = EntitlementDefinition.definitions(rows)
        connection.definitions[app] = definitions
        return definitions
    }

    func evidence(_ id: EvidenceID, of app: AppID) throws(StorageError) -> EvidenceRecord? {
        try connection.row(SQLiteQuery.evidence, [.text(app), .text(id)]) { row in
            try PlacedEvidence(row: row, app: app).record
        }
    }

    func evidence(
        about purchase: OriginalTransactionID,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [PlacedEvidence] {
        let values: [ColumnValue] = [.text(app), .text(purchase), .integer(sequence), .integer(max(0, limit))]
        return try connection.rows(SQLiteQuery.evidenceOfPurchase, values) { row in
            try PlacedEvidence(row: row, app: app)
        }
    }

    func evidence(
        _ kind: EvidenceRecord.Kind,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [EvidenceSummary] {
        let values: [ColumnValue] = [.text(app), .text(kind), .integer(sequence), .integer(max(0, limit))]
        return try connection.rows(SQLiteQuery.evidenceList, values, decode: EvidenceSummary.init(row:))
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

    func ledger(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> PurchaseLedger {
        let key: [ColumnValue] = [.text(app), .text(purchase)]
        var ledger = PurchaseLedger(originalID: purchase)
        for fact in try connection.rows(SQLiteQuery.transactions, key, decode: TransactionFact.init(row:)) {
            ledger.join(.transaction(fact))
        }
        if let fact = try connection.row(SQLiteQuery.renewal, key, decode: RenewalFact.init(row:)) {
            ledger.join(.renewal(fact))
        }
        if let fact = try connection.row(SQLiteQuery.status, key, decode: StatusFact.init(row:)) {
            ledger.join(.status(fact))
        }
        return ledger
    }

    func purchase(_ id: OriginalTransactionID, of app: AppID) throws(StorageError) -> PurchaseRecord? {
        try connection.row(SQLiteQuery.purchase, [.text(app), .text(id)], decode: PurchaseRecord.init(row:))
    }

    func claims(on purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> [ClaimRecord] {
        try connection.rows(SQLiteQuery.claims, [.text(app), .text(purchase)]) { row in
            ClaimRecord(
                purchaseID: purchase,
                customerID: try row.identifier(0),
                evidenceID: try row.identifier(1),
                claimedAt: try row.time(2)
            )
        }
    }

    func purchases(of customer: CustomerID, app: AppID) throws(StorageError) -> [PurchaseRecord] {
        try connection.rows(
            SQLiteQuery.purchasesOfCustomer,
            [.text(app), .text(customer)],
            decode: PurchaseRecord.init(row:)
        )
    }

    func customer(_ id: CustomerID, of app: AppID) throws(StorageError) -> CustomerRecord? {
        try connection.row(SQLiteQuery.customer, [.text(app), .text(id)]) { row in
            CustomerRecord(id: id, firstSeenAt: try row.time(0), stateVersion: try row.integer(1))
        }
    }

    func customers(of app: AppID, after id: CustomerID?, limit: Int) throws(StorageError) -> [CustomerRecord] {
        // No identifier is empty, so that the empty text comes before all of them.
        let values: [ColumnValue] = [.text(app), .text(id ?? CustomerID("")), .integer(max(0, limit))]
        return try connection.rows(SQLiteQuery.customers, values) { row in
            CustomerRecord(
                id: try row.identifier(0),
                firstSeenAt: try row.time(1),
                stateVersion: try row.integer(2)
            )
        }
    }

    func duePurchases(until instant: Timestamp, limit: Int) throws(StorageError) -> [DuePurchase] {
        try connection.rows(SQLiteQuery.due, [.time(instant), .integer(max(0, limit))]) { row in
            DuePurchase(appID: try row.identifier(0), id: try row.identifier(1), dueAt: try row.time(2))
        }
    }

    func events(of app: AppID, after sequence: Int64, limit: Int) throws(StorageError) -> [EventRecord] {
        let values: [ColumnValue] = [.text(app), .integer(sequence), .integer(max(0, limit))]
        return try connection.rows(SQLiteQuery.events, values, decode: EventRecord.init(row:))
    }
}
