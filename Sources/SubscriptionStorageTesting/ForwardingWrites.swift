package import SubscriptionCore
package import SubscriptionStorage

/// The reads and writes of a transaction that are those of another one, except for those that a test changes.
package protocol ForwardingWrites: ForwardingReads, StorageWriting {
    /// The other transaction.
    var forwardedWrites: any StorageWriting { get }
}

/// Each method calls the one of the other transaction.
extension ForwardingWrites {
    package var forwarded: any StorageReading { forwardedWrites }

    package func countUnknownNotification(
        _ type: String,
        _ subtype: String?,
        receivedAt: Timestamp,
        of app: AppID
    ) throws(StorageError) {
        try forwardedWrites.countUnknownNotification(type, subtype, receivedAt: receivedAt, of: app)
    }

    package func save(_ grant: GrantRecord, of app: AppID) throws(StorageError) {
        try forwardedWrites.save(grant, of: app)
    }

    package func insert(_ evidence: EvidenceRecord) throws(StorageError) -> Bool {
        try forwardedWrites.insert(evidence)
    }

    package func relink(_ sequence: Int64, to purchase: OriginalTransactionID, app: AppID) throws(StorageError) {
        try forwardedWrites.relink(sequence, to: purchase, app: app)
    }

    package func insert(_ claim: ClaimRecord, of app: AppID) throws(StorageError) {
        try forwardedWrites.insert(claim, of: app)
    }

    package func save(_ fact: Fact, of app: AppID) throws(StorageError) { try forwardedWrites.save(fact, of: app) }

    package func save(_ purchase: PurchaseRecord, of app: AppID) throws(StorageError) {
        try forwardedWrites.save(purchase, of: app)
    }

    package func save(_ customer: CustomerRecord, of app: AppID) throws(StorageError) {
        try forwardedWrites.save(customer, of: app)
    }

    package func save(_ definition: EntitlementDefinition, of app: AppID) throws(StorageError) {
        try forwardedWrites.save(definition, of: app)
    }

    package func append(
        _ events: [SubscriptionEvent],
        customer: CustomerRecord?,
        recordedAt: Timestamp,
        app: AppID
    ) throws(StorageError) {
        try forwardedWrites.append(events, customer: customer, recordedAt: recordedAt, app: app)
    }

    package func save<Record: TableRecord>(_ record: Record, in app: AppID?) throws(StorageError) {
        try forwardedWrites.save(record, in: app)
    }

    package func update<Record: TableRecord>(
        _ record: Record,
        from previous: Record,
        in app: AppID?
    ) throws(StorageError) {
        try forwardedWrites.update(record, from: previous, in: app)
    }

    package func insert<Record: TableRecord>(once record: Record, in app: AppID?) throws(StorageError) {
        try forwardedWrites.insert(once: record, in: app)
    }

    package func remove<Record: TableRecord>(_ type: Record.Type, _ lookup: TableLookup) throws(StorageError) {
        try forwardedWrites.remove(type, lookup)
    }

    package func removeFacts(_ ledger: PurchaseLedger, clearsState: Bool, of app: AppID) throws(StorageError) {
        try forwardedWrites.removeFacts(ledger, clearsState: clearsState, of: app)
    }

    package func noteDerivation(at time: Timestamp) throws(StorageError) {
        try forwardedWrites.noteDerivation(at: time)
    }

    package func lowerLatestDerivation(from noted: Timestamp, to time: Timestamp) throws(StorageError) {
        try forwardedWrites.lowerLatestDerivation(from: noted, to: time)
    }

    package func save(_ purpose: DatabasePurpose) throws(StorageError) { try forwardedWrites.save(purpose) }

    package func removeClaims(by customer: CustomerID, app: AppID) throws(StorageError) {
        try forwardedWrites.removeClaims(by: customer, app: app)
    }

    package func removeClaims(on purchase: OriginalTransactionID, app: AppID) throws(StorageError) {
        try forwardedWrites.removeClaims(on: purchase, app: app)
    }

    package func save(_ event: EventRecord, of app: AppID) throws(StorageError) {
        try forwardedWrites.save(event, of: app)
    }

    package func append(_ claim: ClaimRecord, of app: AppID) throws(StorageError) {
        try forwardedWrites.append(claim, of: app)
    }

    package func share(_ purchase: OriginalTransactionID, with customer: CustomerID, app: AppID) throws(StorageError) {
        try forwardedWrites.share(purchase, with: customer, app: app)
    }

    package func unshare(
        _ purchase: OriginalTransactionID,
        with customer: CustomerID,
        app: AppID
    ) throws(StorageError) {
        try forwardedWrites.unshare(purchase, with: customer, app: app)
    }

    package func removeCustomer(_ id: CustomerID, of app: AppID) throws(StorageError) {
        try forwardedWrites.removeCustomer(id, of: app)
    }

    package func save(_ alias: AliasRecord, of app: AppID) throws(StorageError) {
        try forwardedWrites.save(alias, of: app)
    }

    package func removeAlias(_ id: CustomerID, of app: AppID) throws(StorageError) {
        try forwardedWrites.removeAlias(id, of: app)
    }

    package func removeGrants(of customer: CustomerID, app: AppID) throws(StorageError) {
        try forwardedWrites.removeGrants(of: customer, app: app)
    }

    package func insert(_ entry: IndexedTransaction, of app: AppID) throws(StorageError) {
        try forwardedWrites.insert(entry, of: app)
    }

    package func remove(_ entry: IndexedTransaction, of app: AppID) throws(StorageError) {
        try forwardedWrites.remove(entry, of: app)
    }
}
