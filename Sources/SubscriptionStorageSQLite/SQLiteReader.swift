import GRDB
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
        let rows = try connection.rows(SQLiteQuery.definitions, [.text(app)]) { row in
            (id: try row.identifier(0) as EntitlementID, product: try row.optionalIdentifier(1) as ProductID?)
        }
        var definitions: [EntitlementDefinition] = []
        for row in rows {
            if definitions.last?.id != row.id { definitions.append(EntitlementDefinition(id: row.id, productIDs: [])) }
            if let product = row.product { definitions[definitions.count - 1].productIDs.append(product) }
        }
        return definitions
    }

    func evidence(_ id: EvidenceID, of app: AppID) throws(StorageError) -> EvidenceRecord? {
        try connection.row(SQLiteQuery.evidence, [.text(app), .text(id)]) { row in
            try EvidenceRecord(row: row, app: app)
        }
    }

    func evidence(
        about purchase: OriginalTransactionID,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [PlacedEvidence] {
        let values: [DatabaseValue] = [.text(app), .text(purchase), .integer(sequence), .integer(max(0, limit))]
        return try connection.rows(SQLiteQuery.evidenceOfPurchase, values) { row in
            PlacedEvidence(sequence: try row.integer(9), record: try EvidenceRecord(row: row, app: app))
        }
    }

    func evidence(
        _ kind: EvidenceRecord.Kind,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [EvidenceSummary] {
        let values: [DatabaseValue] = [.text(app), .text(kind), .integer(sequence), .integer(max(0, limit))]
        return try connection.rows(SQLiteQuery.evidenceList, values) { row in
            EvidenceSummary(
                sequence: try row.integer(0),
                id: try row.identifier(1),
                type: try row.optionalText(2),
                subtype: try row.optionalText(3),
                signedAt: try row.time(4),
                receivedAt: try row.time(5)
            )
        }
    }
}

extension SQLiteReading {
    func unknownNotifications(of app: AppID) throws(StorageError) -> [UnknownNotificationCount] {
        try connection.rows(SQLiteQuery.unknownNotifications, [.text(app)]) { row in
            let subtype = try row.text(1)
            return UnknownNotificationCount(
                type: try row.text(0),
                subtype: subtype.isEmpty ? nil : subtype,
                count: try row.integer(2),
                lastReceivedAt: try row.time(3)
            )
        }
    }

    func ledger(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> PurchaseLedger {
        let key: [DatabaseValue] = [.text(app), .text(purchase)]
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
        try connection.row(SQLiteQuery.purchase, [.text(app), .text(id)], decode: purchaseRecord)
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
        try connection.rows(SQLiteQuery.purchasesOfCustomer, [.text(app), .text(customer)], decode: purchaseRecord)
    }

    func customer(_ id: CustomerID, of app: AppID) throws(StorageError) -> CustomerRecord? {
        try connection.row(SQLiteQuery.customer, [.text(app), .text(id)]) { row in
            CustomerRecord(id: id, firstSeenAt: try row.time(0), stateVersion: try row.integer(1))
        }
    }

    func customers(of app: AppID, after id: CustomerID?, limit: Int) throws(StorageError) -> [CustomerRecord] {
        // No identifier is empty, so that the empty text comes before all of them.
        let values: [DatabaseValue] = [.text(app), .text(id ?? CustomerID("")), .integer(max(0, limit))]
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
        let values: [DatabaseValue] = [.text(app), .integer(sequence), .integer(max(0, limit))]
        return try connection.rows(SQLiteQuery.events, values) { row in
            EventRecord(
                sequence: try row.integer(0),
                customerID: try row.optionalIdentifier(1),
                stateVersion: try row.optionalInteger(2),
                recordedAt: try row.time(3),
                event: try connection.value(SubscriptionEvent.self, from: try row.text(4))
            )
        }
    }

    private func purchaseRecord(_ row: SQLiteRow) throws -> PurchaseRecord {
        PurchaseRecord(
            id: try row.identifier(0),
            customerID: try row.optionalIdentifier(1),
            claim: try row.optionalChoice(2),
            state: try row.optionalText(4).map { try connection.value(PurchaseState.self, from: $0) },
            evaluatedAt: try row.time(3)
        )
    }
}

extension EvidenceRecord {
    fileprivate init(row: SQLiteRow, app: AppID) throws(StorageError) {
        self.init(
            appID: app,
            id: try row.identifier(0),
            kind: try row.choice(1),
            signedAt: try row.time(5),
            receivedAt: try row.time(6),
            signedBytes: SplitJWS.joined(header: try row.optionalBytes(7), remainder: try row.bytes(8)),
            type: try row.optionalText(2),
            subtype: try row.optionalText(3),
            purchaseID: try row.optionalIdentifier(4)
        )
    }
}

extension APIKeyRecord {
    fileprivate init(row: SQLiteRow) throws(StorageError) {
        self.init(
            digest: try row.bytes(1),
            appID: try row.identifier(0),
            kind: try row.choice(2),
            hint: try row.text(3),
            createdAt: try row.time(4)
        )
    }
}
