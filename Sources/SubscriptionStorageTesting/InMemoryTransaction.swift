import SubscriptionCore
import SubscriptionStorage

/// A transaction of the reference engine: a copy that the body changes.
final class InMemoryTransaction {
    private(set) var snapshot: InMemorySnapshot

    init(_ snapshot: InMemorySnapshot) {
        self.snapshot = snapshot
    }

    func contents(of app: AppID) -> InMemoryApp {
        snapshot.contents[app] ?? InMemoryApp()
    }

    func changeTable(_ name: String, _ body: (inout [AppID?: [[ColumnValue]: [ColumnValue]]]) -> Void) {
        body(&snapshot.tables[name, default: [:]])
    }

    func change(_ app: AppID, _ body: (inout InMemoryApp) -> Void) {
        body(&snapshot.contents[app, default: InMemoryApp()])
    }
}

extension InMemoryTransaction: StorageReading {
    func hasEvidence(_ id: EvidenceID, of app: AppID) -> Bool { contents(of: app).evidenceIndexes[id] != nil }

    func evidence(_ id: EvidenceID, of app: AppID) -> EvidenceRecord? {
        let contents = contents(of: app)
        return contents.evidenceIndexes[id].map { contents.evidence[$0] }
    }

    func evidence(_ kind: EvidenceRecord.Kind, of app: AppID, after sequence: Int64, limit: Int) -> [FoundSummary] {
        let summaries = contents(of: app).evidence.enumerated().filter { $0.element.kind == kind }.map {
            index,
            record in
            EvidenceSummary(
                sequence: Int64(index) + 1,
                id: record.id,
                type: record.type,
                subtype: record.subtype,
                signedAt: record.signedAt,
                receivedAt: record.receivedAt
            )
        }
        let wanted = summaries.filter { $0.sequence > sequence }.prefix(max(0, limit))
        return wanted.map { FoundSummary(sequence: $0.sequence, summary: $0) }
    }

    func evidence(
        about purchase: OriginalTransactionID,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) -> [SequencedEvidence] {
        let all = contents(of: app).evidence.enumerated().map { index, record in
            SequencedEvidence(sequence: Int64(index) + 1, record: record)
        }
        let wanted = all.filter { $0.record.purchaseID == purchase && $0.sequence > sequence }
        return Array(wanted.prefix(max(0, limit)))
    }

    func evidenceID(at sequence: Int64, of app: AppID) -> EvidenceID? {
        contents(of: app).evidence.dropFirst(Int(sequence) - 1).first?.id
    }

    func foundEvidence(_ id: EvidenceID, of app: AppID) -> FoundEvidence? {
        let contents = contents(of: app)
        return contents.evidenceIndexes[id].map { index in
            FoundEvidence(sequence: Int64(index) + 1, record: contents.evidence[index])
        }
    }

    func foundEvidence(
        about purchase: OriginalTransactionID,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) -> [FoundEvidence] {
        evidence(about: purchase, of: app, after: sequence, limit: limit).map {
            FoundEvidence(sequence: $0.sequence, record: $0.record)
        }
    }

    func unknownNotifications(of app: AppID) -> [UnknownNotificationCount] {
        contents(of: app).unknownNotifications.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }

    func ledger(of purchase: OriginalTransactionID, app: AppID) -> PurchaseLedger {
        guard let facts = contents(of: app).facts[purchase] else { return PurchaseLedger(originalID: purchase) }
        return PurchaseLedger(
            originalID: purchase,
            transactions: Array(facts.transactions.values),
            renewal: facts.renewal,
            status: facts.status
        )
    }

    func purchase(_ id: OriginalTransactionID, of app: AppID) -> PurchaseRecord? {
        contents(of: app).purchases[id]
    }

    func claims(on purchase: OriginalTransactionID, app: AppID) -> [ClaimRecord] {
        contents(of: app).claims.filter { $0.purchaseID == purchase }
    }

    func purchases(of customer: CustomerID, app: AppID) -> [PurchaseRecord] {
        let contents = contents(of: app)
        let shared = contents.shares[customer] ?? []
        return contents.purchases.values.filter { $0.customerID == customer || shared.contains($0.id) }
            .sorted { $0.id < $1.id }
    }

    func purchases(ofAppTransaction id: String, app: AppID) -> [PurchaseRecord] {
        contents(of: app).purchases.values.filter { $0.appTransactionID == id }.sorted { $0.id < $1.id }
    }

    func customer(_ id: CustomerID, of app: AppID) -> CustomerRecord? {
        contents(of: app).customers[id]
    }

    func customers(of app: AppID, after id: CustomerID?, limit: Int) -> [CustomerRecord] {
        let ordered = contents(of: app).customers.values.sorted { $0.id < $1.id }
        return Array(ordered.drop { customer in id.map { customer.id <= $0 } ?? false }.prefix(max(0, limit)))
    }

    func entitlementDefinitions(of app: AppID) -> [EntitlementDefinition] {
        contents(of: app).definitions.values.sorted { $0.id < $1.id }
    }

    func duePurchases(until time: Timestamp, limit: Int) -> [DuePurchase] {
        let due = snapshot.contents.flatMap { app, contents in
            contents.purchases.values.compactMap { purchase -> DuePurchase? in
                guard let dueAt = purchase.state?.nextChangeAt, dueAt <= time else { return nil }
                return DuePurchase(appID: app, id: purchase.id, dueAt: dueAt)
            }
        }
        let ordered = due.sorted { ($0.dueAt, $0.appID, $0.id) < ($1.dueAt, $1.appID, $1.id) }
        return Array(ordered.prefix(max(0, limit)))
    }

    func events(of app: AppID, after sequence: Int64, limit: Int) -> [EventRecord] {
        Array(contents(of: app).events.filter { $0.sequence > sequence }.prefix(max(0, limit)))
    }
}

extension InMemoryTransaction: StorageWriting {
    func save(_ purpose: DatabasePurpose) { snapshot.purpose = purpose }

    func noteDerivation(at time: Timestamp) {
        snapshot.latestDerivation = max(snapshot.latestDerivation ?? time, time)
    }

    func lowerLatestDerivation(from noted: Timestamp, to time: Timestamp) {
        if snapshot.latestDerivation == noted { snapshot.latestDerivation = time }
    }

    func insert(_ evidence: EvidenceRecord) -> Bool {
        guard !hasEvidence(evidence.id, of: evidence.appID) else { return false }
        change(evidence.appID) { contents in
            contents.evidenceIndexes[evidence.id] = contents.evidence.count
            contents.evidence.append(evidence)
        }
        return true
    }

    func countUnknownNotification(_ type: String, _ subtype: String?, receivedAt: Timestamp, of app: AppID) {
        change(app) { contents in
            let count = contents.unknownNotifications[[type, subtype ?? ""]]?.count ?? 0
            contents.unknownNotifications[[type, subtype ?? ""]] = UnknownNotificationCount(
                type: type,
                subtype: subtype,
                count: count + 1,
                lastReceivedAt: receivedAt
            )
        }
    }

    func save(_ fact: Fact, of app: AppID) throws(StorageError) {
        try fact.requireStorableText()
        change(app) { contents in
            switch fact {
            case .transaction(let fact): contents.facts[fact.originalID, default: .init()].transactions[fact.id] = fact
            case .renewal(let fact): contents.facts[fact.originalID, default: .init()].renewal = fact
            case .status(let fact): contents.facts[fact.originalID, default: .init()].status = fact
            }
        }
        if case .transaction(let fact) = fact, fact.id.rawValue != fact.originalID.rawValue {
            insert(IndexedTransaction(id: fact.id, purchaseID: fact.originalID), of: app)
        }
    }

    func insert(_ claim: ClaimRecord, of app: AppID) {
        let isStored = claims(on: claim.purchaseID, app: app).contains {
            $0.customerID == claim.customerID && $0.evidenceID == claim.evidenceID
        }
        if !isStored { append(claim, of: app) }
    }

    func save(_ purchase: PurchaseRecord, of app: AppID) {
        change(app) { $0.purchases[purchase.id] = purchase }
    }

    func save(_ customer: CustomerRecord, of app: AppID) {
        change(app) { $0.customers[customer.id] = customer }
    }

    func save(_ definition: EntitlementDefinition, of app: AppID) {
        change(app) { $0.definitions[definition.id] = definition }
    }

    func append(_ events: [SubscriptionEvent], customer: CustomerRecord?, recordedAt: Timestamp, app: AppID) {
        change(app) { contents in
            for event in events {
                let record = EventRecord(
                    sequence: Int64(contents.events.count) + 1,
                    customerID: customer?.id,
                    stateVersion: customer?.stateVersion,
                    recordedAt: recordedAt,
                    event: event
                )
                contents.events.append(record)
            }
        }
    }
}
