import SubscriptionCore
import SubscriptionStorage

/// Calls that are forwarded without damage.
extension DamagedStorage {
    func alias(_ id: CustomerID, of app: AppID) throws(StorageError) -> AliasRecord? { try base.alias(id, of: app) }
    func claims(by customer: CustomerID, app: AppID) throws(StorageError) -> [ClaimRecord] {
        try base.claims(by: customer, app: app)
    }
    func aliases(_ ids: Set<CustomerID>, of app: AppID) throws(StorageError) -> [AliasRecord] {
        try base.aliases(ids, of: app)
    }
    func sharers(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> [CustomerID] {
        try base.sharers(of: purchase, app: app)
    }
    func events(
        about customer: CustomerID,
        of app: AppID,
        after sequence: Int64,
        through end: Int64
    ) throws(StorageError) -> [EventRecord] {
        try base.events(about: customer, of: app, after: sequence, through: end)
    }
    func purchases(
        derivedAfter time: Timestamp,
        of app: AppID,
        after id: OriginalTransactionID?,
        limit: Int
    ) throws(StorageError) -> [OriginalTransactionID] {
        try base.purchases(derivedAfter: time, of: app, after: id, limit: limit)
    }
    func grants(endedBefore time: Timestamp, limit: Int) throws(StorageError) -> [DueGrant] {
        try base.grants(endedBefore: time, limit: limit)
    }
    func evidence(
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [SequencedEvidence] {
        try base.evidence(of: app, after: sequence, limit: limit)
    }
    func purchaseRows(
        of app: AppID,
        after id: OriginalTransactionID?,
        limit: Int
    ) throws(StorageError) -> [PurchaseRow] {
        try base.purchaseRows(of: app, after: id, limit: limit)
    }
    func removeFacts(_ ledger: PurchaseLedger, clearsState: Bool, of app: AppID) throws(StorageError) {
        try base.removeFacts(ledger, clearsState: clearsState, of: app)
    }
    func databaseTime() throws(StorageError) -> Timestamp? { try base.databaseTime() }
    func latestDerivation() throws(StorageError) -> Timestamp? { try base.latestDerivation() }
    func noteDerivation(at time: Timestamp) throws(StorageError) { try base.noteDerivation(at: time) }
    func lowerLatestDerivation(from noted: Timestamp, to time: Timestamp) throws(StorageError) {
        try base.lowerLatestDerivation(from: noted, to: time)
    }
    func purpose() throws(StorageError) -> DatabasePurpose? { try base.purpose() }
    func save(_ purpose: DatabasePurpose) throws(StorageError) { try base.save(purpose) }
    func lastEvent(of app: AppID) throws(StorageError) -> Int64 { try base.lastEvent(of: app) }
    func removeClaims(by customer: CustomerID, app: AppID) throws(StorageError) {
        try base.removeClaims(by: customer, app: app)
    }
    func removeClaims(on purchase: OriginalTransactionID, app: AppID) throws(StorageError) {
        try base.removeClaims(on: purchase, app: app)
    }
    func save(_ event: EventRecord, of app: AppID) throws(StorageError) { try base.save(event, of: app) }
    func append(_ claim: ClaimRecord, of app: AppID) throws(StorageError) { try base.append(claim, of: app) }
    func share(_ purchase: OriginalTransactionID, with customer: CustomerID, app: AppID) throws(StorageError) {
        try base.share(purchase, with: customer, app: app)
    }
    func unshare(_ purchase: OriginalTransactionID, with customer: CustomerID, app: AppID) throws(StorageError) {
        try base.unshare(purchase, with: customer, app: app)
    }
    func removeCustomer(_ id: CustomerID, of app: AppID) throws(StorageError) { try base.removeCustomer(id, of: app) }
    func save(_ alias: AliasRecord, of app: AppID) throws(StorageError) { try base.save(alias, of: app) }
    func removeAlias(_ id: CustomerID, of app: AppID) throws(StorageError) { try base.removeAlias(id, of: app) }
    func removeGrants(of customer: CustomerID, app: AppID) throws(StorageError) {
        try base.removeGrants(of: customer, app: app)
    }
}

extension DamagedStorage {
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
    func insert(_ entry: IndexedTransaction, of app: AppID) throws(StorageError) { try base.insert(entry, of: app) }
    func remove(_ entry: IndexedTransaction, of app: AppID) throws(StorageError) { try base.remove(entry, of: app) }
}
