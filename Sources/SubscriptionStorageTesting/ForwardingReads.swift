package import SubscriptionCore
package import SubscriptionStorage

/// The reads of a transaction that are those of another one, except for those that a test changes.
///
/// A test's type conforms to it and has its own version of the methods that it changes. A method that reads several
/// values with the help of another one, such as the ledgers of purchases, is not forwarded: it uses the changed method.
package protocol ForwardingReads: StorageReading {
    /// The other transaction.
    var forwarded: any StorageReading { get }
}

/// Each method calls the one of the other transaction.
extension ForwardingReads {
    package func events(of app: AppID, after sequence: Int64, limit: Int) throws(StorageError) -> [EventRecord] {
        try forwarded.events(of: app, after: sequence, limit: limit)
    }

    package func events(
        about customer: CustomerID,
        of app: AppID,
        after sequence: Int64,
        through end: Int64
    ) throws(StorageError) -> [EventRecord] {
        try forwarded.events(about: customer, of: app, after: sequence, through: end)
    }

    package func lastEvent(of app: AppID) throws(StorageError) -> Int64 { try forwarded.lastEvent(of: app) }

    package func rows<Record: TableRow>(of type: Record.Type, _ lookup: TableLookup) throws(StorageError) -> [Record] {
        try forwarded.rows(of: type, lookup)
    }

    package func hasEvidence(_ id: EvidenceID, of app: AppID) throws(StorageError) -> Bool {
        try forwarded.hasEvidence(id, of: app)
    }

    package func evidence(_ id: EvidenceID, of app: AppID) throws(StorageError) -> EvidenceRecord? {
        try forwarded.evidence(id, of: app)
    }

    package func evidence(
        _ kind: EvidenceRecord.Kind,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [FoundSummary] {
        try forwarded.evidence(kind, of: app, after: sequence, limit: limit)
    }

    package func evidence(
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [SequencedEvidence] {
        try forwarded.evidence(of: app, after: sequence, limit: limit)
    }

    package func evidence(
        about purchase: OriginalTransactionID,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [SequencedEvidence] {
        try forwarded.evidence(about: purchase, of: app, after: sequence, limit: limit)
    }

    package func evidenceID(at sequence: Int64, of app: AppID) throws(StorageError) -> EvidenceID? {
        try forwarded.evidenceID(at: sequence, of: app)
    }

    package func foundEvidence(_ id: EvidenceID, of app: AppID) throws(StorageError) -> FoundEvidence? {
        try forwarded.foundEvidence(id, of: app)
    }

    package func foundEvidence(
        about purchase: OriginalTransactionID,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [FoundEvidence] {
        try forwarded.foundEvidence(about: purchase, of: app, after: sequence, limit: limit)
    }

    package func unknownNotifications(of app: AppID) throws(StorageError) -> [UnknownNotificationCount] {
        try forwarded.unknownNotifications(of: app)
    }

    package func ledger(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> PurchaseLedger {
        try forwarded.ledger(of: purchase, app: app)
    }

    package func purchaseRows(
        of app: AppID,
        after id: OriginalTransactionID?,
        limit: Int
    ) throws(StorageError) -> [PurchaseRow] {
        try forwarded.purchaseRows(of: app, after: id, limit: limit)
    }

    package func purchase(_ id: OriginalTransactionID, of app: AppID) throws(StorageError) -> PurchaseRecord? {
        try forwarded.purchase(id, of: app)
    }

    package func purchases(of customer: CustomerID, app: AppID) throws(StorageError) -> [PurchaseRecord] {
        try forwarded.purchases(of: customer, app: app)
    }

    package func purchases(ofAppTransaction id: String, app: AppID) throws(StorageError) -> [PurchaseRecord] {
        try forwarded.purchases(ofAppTransaction: id, app: app)
    }

    package func purchases(
        with transaction: TransactionID,
        app: AppID
    ) throws(StorageError) -> [OriginalTransactionID] {
        try forwarded.purchases(with: transaction, app: app)
    }

    package func indexedTransactions(
        of app: AppID,
        after entry: IndexedTransaction?,
        limit: Int
    ) throws(StorageError) -> [IndexedTransaction] {
        try forwarded.indexedTransactions(of: app, after: entry, limit: limit)
    }

    package func duePurchases(until time: Timestamp, limit: Int) throws(StorageError) -> [DuePurchase] {
        try forwarded.duePurchases(until: time, limit: limit)
    }

    package func purchases(
        derivedAfter time: Timestamp,
        of app: AppID,
        after id: OriginalTransactionID?,
        limit: Int
    ) throws(StorageError) -> [OriginalTransactionID] {
        try forwarded.purchases(derivedAfter: time, of: app, after: id, limit: limit)
    }

    package func customer(_ id: CustomerID, of app: AppID) throws(StorageError) -> CustomerRecord? {
        try forwarded.customer(id, of: app)
    }

    package func alias(_ id: CustomerID, of app: AppID) throws(StorageError) -> AliasRecord? {
        try forwarded.alias(id, of: app)
    }

    package func aliases(_ ids: Set<CustomerID>, of app: AppID) throws(StorageError) -> [AliasRecord] {
        try forwarded.aliases(ids, of: app)
    }

    package func customers(of app: AppID, after id: CustomerID?, limit: Int) throws(StorageError) -> [CustomerRecord] {
        try forwarded.customers(of: app, after: id, limit: limit)
    }

    package func claims(on purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> [ClaimRecord] {
        try forwarded.claims(on: purchase, app: app)
    }

    package func sharers(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> [CustomerID] {
        try forwarded.sharers(of: purchase, app: app)
    }

    package func claims(by customer: CustomerID, app: AppID) throws(StorageError) -> [ClaimRecord] {
        try forwarded.claims(by: customer, app: app)
    }

    package func grants(endedBefore time: Timestamp, limit: Int) throws(StorageError) -> [DueGrant] {
        try forwarded.grants(endedBefore: time, limit: limit)
    }

    package func grants(of customer: CustomerID, app: AppID) throws(StorageError) -> [GrantRecord] {
        try forwarded.grants(of: customer, app: app)
    }

    package func dueGrants(until time: Timestamp, limit: Int) throws(StorageError) -> [DueGrant] {
        try forwarded.dueGrants(until: time, limit: limit)
    }

    package func entitlementDefinitions(of app: AppID) throws(StorageError) -> [EntitlementDefinition] {
        try forwarded.entitlementDefinitions(of: app)
    }

    package func databaseTime() throws(StorageError) -> Timestamp? { try forwarded.databaseTime() }

    package func latestDerivation() throws(StorageError) -> Timestamp? { try forwarded.latestDerivation() }

    package func purpose() throws(StorageError) -> DatabasePurpose? { try forwarded.purpose() }
}
