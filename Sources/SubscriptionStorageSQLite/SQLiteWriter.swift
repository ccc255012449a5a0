import GRDB
import SubscriptionCore
import SubscriptionStorage

/// A write transaction. SQLite has one at a time, so the next place in an order is one after the last.
struct SQLiteWriter: SQLiteReading {
    let connection: SQLiteConnection
}

extension SQLiteWriter: StorageWriting {
    func save(_ app: AppRecord) throws(StorageError) {
        let values: [DatabaseValue] = [
            .text(app.id), .text(app.bundleID), .text(app.environment), .integer(app.appleID),
        ]
        try connection.run(SQLiteQuery.saveApp, values)
    }

    func insert(_ key: APIKeyRecord) throws(StorageError) {
        let values: [DatabaseValue] = [
            .text(key.appID), .bytes(key.digest), .text(key.kind), .text(key.hint), .time(key.createdAt),
        ]
        try connection.run(SQLiteQuery.insertKey, values)
    }

    func save(_ definition: EntitlementDefinition, of app: AppID) throws(StorageError) {
        let key: [DatabaseValue] = [.text(app), .text(definition.id)]
        try connection.run(SQLiteQuery.saveDefinition, key)
        try connection.run(SQLiteQuery.clearProducts, key)
        for (position, product) in definition.productIDs.enumerated() {
            try connection.run(SQLiteQuery.saveProduct, key + [.integer(position), .text(product)])
        }
    }

    func insert(_ evidence: EvidenceRecord) throws(StorageError) -> Bool {
        let key: [DatabaseValue] = [.text(evidence.appID), .text(evidence.id)]
        let held = try connection.row(SQLiteQuery.holdsEvidence, key) { _ in true }
        guard held == nil else { return false }
        let bytes = SplitJWS(evidence.signedBytes)
        let values: [DatabaseValue] = [
            .integer(try next(SQLiteQuery.nextEvidence, of: evidence.appID)), .text(evidence.kind),
            .text(evidence.type), .text(evidence.subtype), .text(evidence.purchaseID), .time(evidence.signedAt),
            .time(evidence.receivedAt),
            .integer(try header(bytes.header, of: evidence.appID)), .bytes(bytes.remainder),
        ]
        try connection.run(SQLiteQuery.insertEvidence, key + values)
        return true
    }

    func countUnknownNotification(_ evidence: EvidenceRecord) throws(StorageError) {
        // A part of the key, so that it is never null.
        let values: [DatabaseValue] = [
            .text(evidence.appID), .text(evidence.type ?? ""), .text(evidence.subtype ?? ""),
            .time(evidence.receivedAt),
        ]
        try connection.run(SQLiteQuery.countUnknownNotification, values)
    }

    func save(_ fact: Fact, of app: AppID) throws(StorageError) {
        switch fact {
        case .transaction(let fact): try connection.run(SQLiteQuery.saveTransaction, [.text(app)] + fact.columns)
        case .renewal(let fact): try connection.run(SQLiteQuery.saveRenewal, [.text(app)] + fact.columns)
        case .status(let fact): try connection.run(SQLiteQuery.saveStatus, [.text(app)] + fact.columns)
        }
    }

    func insert(_ claim: ClaimRecord, of app: AppID) throws(StorageError) {
        let key: [DatabaseValue] = [.text(app), .text(claim.purchaseID)]
        let sequence = try connection.row(SQLiteQuery.nextClaim, key) { row in try row.integer(0) } ?? 1
        let values: [DatabaseValue] = [
            .integer(sequence), .text(claim.customerID), .text(claim.evidenceID), .time(claim.claimedAt),
        ]
        try connection.run(SQLiteQuery.insertClaim, key + values)
    }

    func save(_ purchase: PurchaseRecord, of app: AppID) throws(StorageError) {
        var state: String?
        if let value = purchase.state { state = try connection.text(value) }
        let values: [DatabaseValue] = [
            .text(app), .text(purchase.id), .text(purchase.customerID), .text(purchase.claim),
            .time(purchase.evaluatedAt), .text(state), .text(purchase.state?.statusText),
            .time(purchase.state?.nextChangeAt),
        ]
        try connection.run(SQLiteQuery.savePurchase, values)
    }

    func save(_ customer: CustomerRecord, of app: AppID) throws(StorageError) {
        let values: [DatabaseValue] = [
            .text(app), .text(customer.id), .time(customer.firstSeenAt), .integer(customer.stateVersion),
        ]
        try connection.run(SQLiteQuery.saveCustomer, values)
    }

    func append(
        _ events: [SubscriptionEvent],
        customer: CustomerRecord?,
        recordedAt: Timestamp,
        app: AppID
    ) throws(StorageError) {
        guard !events.isEmpty else { return }
        var sequence = try next(SQLiteQuery.nextEvent, of: app)
        for event in events {
            let values: [DatabaseValue] = [
                .text(app), .integer(sequence), .text(event.kind), .text(customer?.id),
                .integer(customer?.stateVersion), .time(event.occurredAt), .time(recordedAt),
                .text(event.purchaseID), .text(try connection.text(event)),
            ]
            try connection.run(SQLiteQuery.insertEvent, values)
            sequence += 1
        }
    }

    private func next(_ query: String, of app: AppID) throws(StorageError) -> Int64 {
        try connection.row(query, [.text(app)]) { row in try row.integer(0) } ?? 1
    }

    /// The number of a header, kept if it is new; nil for an input without one.
    private func header(_ bytes: ArraySlice<UInt8>?, of app: AppID) throws(StorageError) -> Int64? {
        guard let bytes else { return nil }
        let content: [DatabaseValue] = [.integer(SplitJWS.checksum(bytes)), .bytes(bytes)]
        if let held = try connection.row(SQLiteQuery.header, [.text(app)] + content, decode: { try $0.integer(0) }) {
            return held
        }
        let number = try next(SQLiteQuery.nextHeader, of: app)
        try connection.run(SQLiteQuery.insertHeader, [.text(app), .integer(number)] + content)
        return number
    }
}

extension PurchaseState {
    /// The status for the eyes of an operator; a one-time purchase has none.
    fileprivate var statusText: String? {
        switch self {
        case .subscription(let state): state.status.rawValue
        case .oneTime: nil
        }
    }
}
