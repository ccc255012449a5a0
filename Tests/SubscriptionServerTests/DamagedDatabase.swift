import SubscriptionCore
import SubscriptionStorage

/// A database in which the facts and the state of one purchase cannot be read.
struct DamagedDatabase: SubscriptionDatabase {
    let base: any SubscriptionDatabase
    let unreadable: OriginalTransactionID

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.write { [unreadable] storage throws(StorageError) in
            try body(DamagedStorage(base: storage) { $0 == unreadable })
        }
    }

    func close() async throws(StorageError) { try await base.close() }
}

/// Forwards to the database, except for the damaged purchase.
struct DamagedStorage: StorageWriting {
    let base: any StorageWriting
    let damage: StorageError
    let isUnreadable: (OriginalTransactionID) -> Bool

    init(
        base: any StorageWriting,
        damage: StorageError = StorageError(.corrupt, "A stored value cannot be read.", isRetryable: false),
        isUnreadable: @escaping (OriginalTransactionID) -> Bool
    ) {
        self.base = base
        self.damage = damage
        self.isUnreadable = isUnreadable
    }

    func ledger(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> PurchaseLedger {
        guard !isUnreadable(purchase) else { throw damage }
        return try base.ledger(of: purchase, app: app)
    }

    func evidence(_ id: EvidenceID, of app: AppID) throws(StorageError) -> EvidenceRecord? {
        try base.evidence(id, of: app)
    }
    func evidence(
        _ kind: EvidenceRecord.Kind,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [EvidenceSummary] {
        try base.evidence(kind, of: app, after: sequence, limit: limit)
    }
    func claims(on purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> [ClaimRecord] {
        try base.claims(on: purchase, app: app)
    }
    func purchase(_ id: OriginalTransactionID, of app: AppID) throws(StorageError) -> PurchaseRecord? {
        try base.purchase(id, of: app)
    }
    func purchases(of customer: CustomerID, app: AppID) throws(StorageError) -> [PurchaseRecord] {
        let purchases = try base.purchases(of: customer, app: app)
        guard !purchases.contains(where: { isUnreadable($0.id) }) else { throw damage }
        return purchases
    }
    func purchases(ofAppTransaction id: String, app: AppID) throws(StorageError) -> [PurchaseRecord] {
        try base.purchases(ofAppTransaction: id, app: app)
    }
    func customer(_ id: CustomerID, of app: AppID) throws(StorageError) -> CustomerRecord? {
        try base.customer(id, of: app)
    }
    func customers(of app: AppID, after id: CustomerID?, limit: Int) throws(StorageError) -> [CustomerRecord] {
        try base.customers(of: app, after: id, limit: limit)
    }
    func entitlementDefinitions(of app: AppID) throws(StorageError) -> [EntitlementDefinition] {
        try base.entitlementDefinitions(of: app)
    }
    func duePurchases(until time: Timestamp, limit: Int) throws(StorageError) -> [DuePurchase] {
        try base.duePurchases(until: time, limit: limit)
    }
    func events(of app: AppID, after sequence: Int64, limit: Int) throws(StorageError) -> [EventRecord] {
        try base.events(of: app, after: sequence, limit: limit)
    }
    func evidence(
        about purchase: OriginalTransactionID,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [SequencedEvidence] {
        try base.evidence(about: purchase, of: app, after: sequence, limit: limit)
    }
    func unknownNotifications(of app: AppID) throws(StorageError) -> [UnknownNotificationCount] {
        try base.unknownNotifications(of: app)
    }
    func grants(of customer: CustomerID, app: AppID) throws(StorageError) -> [GrantRecord] {
        try base.grants(of: customer, app: app)
    }
    func dueGrants(until time: Timestamp, limit: Int) throws(StorageError) -> [DueGrant] {
        try base.dueGrants(until: time, limit: limit)
    }
    func countUnknownNotification(
        _ type: String,
        _ subtype: String?,
        receivedAt: Timestamp,
        of app: AppID
    ) throws(StorageError) {
        try base.countUnknownNotification(type, subtype, receivedAt: receivedAt, of: app)
    }
    func save(_ grant: GrantRecord, of app: AppID) throws(StorageError) { try base.save(grant, of: app) }
    func insert(_ evidence: EvidenceRecord) throws(StorageError) -> Bool { try base.insert(evidence) }
    func insert(_ claim: ClaimRecord, of app: AppID) throws(StorageError) { try base.insert(claim, of: app) }
    func save(_ fact: Fact, of app: AppID) throws(StorageError) { try base.save(fact, of: app) }
    func save(_ purchase: PurchaseRecord, of app: AppID) throws(StorageError) { try base.save(purchase, of: app) }
    func save(_ customer: CustomerRecord, of app: AppID) throws(StorageError) { try base.save(customer, of: app) }
    func save(_ definition: EntitlementDefinition, of app: AppID) throws(StorageError) {
        try base.save(definition, of: app)
    }
    func append(
        _ events: [SubscriptionEvent],
        customer: CustomerRecord?,
        recordedAt: Timestamp,
        app: AppID
    ) throws(StorageError) {
        try base.append(events, customer: customer, recordedAt: recordedAt, app: app)
    }
}

/// Descriptions of tables.
extension DamagedStorage {
    func rows<Record: TableRow>(of type: Record.Type, _ lookup: TableLookup) throws(StorageError) -> [Record] {
        try base.rows(of: type, lookup)
    }
    func save<Record: TableRecord>(_ record: Record, in app: AppID?) throws(StorageError) {
        try base.save(record, in: app)
    }
    func insert<Record: TableRecord>(once record: Record, in app: AppID?) throws(StorageError) {
        try base.insert(once: record, in: app)
    }
    func remove<Record: TableRecord>(_ type: Record.Type, _ lookup: TableLookup) throws(StorageError) {
        try base.remove(type, lookup)
    }
}
