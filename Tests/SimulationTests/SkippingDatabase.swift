import SubscriptionCore
import SubscriptionStorage

/// A database that does not return one of the events: a defect to be found.
struct SkippingDatabase: SubscriptionDatabase {
    let base: any SubscriptionDatabase
    /// The sequence number of the event.
    let skipped: Int64

    var commits: CustomerCommits? { nil }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.read { [skipped] storage throws(StorageError) in
            try body(SkippingStorage(base: storage, skipped: skipped))
        }
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.write(body)
    }

    func close() async throws(StorageError) { try await base.close() }
}

/// Forwards to the database, except for one event.
private struct SkippingStorage: StorageReading {
    let base: any StorageReading
    let skipped: Int64

    func events(of app: AppID, after sequence: Int64, limit: Int) throws(StorageError) -> [EventRecord] {
        try base.events(of: app, after: sequence, limit: limit).filter { $0.sequence != skipped }
    }
    func events(
        about customer: CustomerID,
        of app: AppID,
        after sequence: Int64,
        through end: Int64
    ) throws(StorageError) -> [EventRecord] {
        try base.events(about: customer, of: app, after: sequence, through: end).filter { $0.sequence != skipped }
    }
    func lastEvent(of app: AppID) throws(StorageError) -> Int64 { try base.lastEvent(of: app) }
}

extension SkippingStorage {
    func rows<Record: TableRow>(of type: Record.Type, _ lookup: TableLookup) throws(StorageError) -> [Record] {
        try base.rows(of: type, lookup)
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
    func evidence(of app: AppID, after sequence: Int64, limit: Int) throws(StorageError) -> [SequencedEvidence] {
        try base.evidence(of: app, after: sequence, limit: limit)
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
    func ledger(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> PurchaseLedger {
        try base.ledger(of: purchase, app: app)
    }
    func purchaseRows(
        of app: AppID,
        after id: OriginalTransactionID?,
        limit: Int
    ) throws(StorageError) -> [PurchaseRow] {
        try base.purchaseRows(of: app, after: id, limit: limit)
    }
    func purchase(_ id: OriginalTransactionID, of app: AppID) throws(StorageError) -> PurchaseRecord? {
        try base.purchase(id, of: app)
    }
    func purchases(of customer: CustomerID, app: AppID) throws(StorageError) -> [PurchaseRecord] {
        try base.purchases(of: customer, app: app)
    }
    func purchases(ofAppTransaction id: String, app: AppID) throws(StorageError) -> [PurchaseRecord] {
        try base.purchases(ofAppTransaction: id, app: app)
    }
    func purchases(with transaction: TransactionID, app: AppID) throws(StorageError) -> [OriginalTransactionID] {
        try base.purchases(with: transaction, app: app)
    }
    func indexedTransactions(
        of app: AppID,
        after entry: IndexedTransaction?,
        limit: Int
    ) throws(StorageError) -> [IndexedTransaction] {
        try base.indexedTransactions(of: app, after: entry, limit: limit)
    }
    func duePurchases(until time: Timestamp, limit: Int) throws(StorageError) -> [DuePurchase] {
        try base.duePurchases(until: time, limit: limit)
    }
    func purchases(
        derivedAfter time: Timestamp,
        of app: AppID,
        after id: OriginalTransactionID?,
        limit: Int
    ) throws(StorageError) -> [OriginalTransactionID] {
        try base.purchases(derivedAfter: time, of: app, after: id, limit: limit)
    }
}

extension SkippingStorage {
    func customer(_ id: CustomerID, of app: AppID) throws(StorageError) -> CustomerRecord? {
        try base.customer(id, of: app)
    }
    func alias(_ id: CustomerID, of app: AppID) throws(StorageError) -> AliasRecord? { try base.alias(id, of: app) }
    func aliases(_ ids: Set<CustomerID>, of app: AppID) throws(StorageError) -> [AliasRecord] {
        try base.aliases(ids, of: app)
    }
    func customers(of app: AppID, after id: CustomerID?, limit: Int) throws(StorageError) -> [CustomerRecord] {
        try base.customers(of: app, after: id, limit: limit)
    }
    func claims(on purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> [ClaimRecord] {
        try base.claims(on: purchase, app: app)
    }
    func sharers(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> [CustomerID] {
        try base.sharers(of: purchase, app: app)
    }
    func claims(by customer: CustomerID, app: AppID) throws(StorageError) -> [ClaimRecord] {
        try base.claims(by: customer, app: app)
    }
    func grants(endedBefore time: Timestamp, limit: Int) throws(StorageError) -> [DueGrant] {
        try base.grants(endedBefore: time, limit: limit)
    }
    func grants(of customer: CustomerID, app: AppID) throws(StorageError) -> [GrantRecord] {
        try base.grants(of: customer, app: app)
    }
    func dueGrants(until time: Timestamp, limit: Int) throws(StorageError) -> [DueGrant] {
        try base.dueGrants(until: time, limit: limit)
    }
    func entitlementDefinitions(of app: AppID) throws(StorageError) -> [EntitlementDefinition] {
        try base.entitlementDefinitions(of: app)
    }
    func databaseTime() throws(StorageError) -> Timestamp? { try base.databaseTime() }
    func latestDerivation() throws(StorageError) -> Timestamp? { try base.latestDerivation() }
    func purpose() throws(StorageError) -> DatabasePurpose? { try base.purpose() }
}
