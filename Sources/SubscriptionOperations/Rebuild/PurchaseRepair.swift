import SubscriptionCore
import SubscriptionStorage

/// The repair of one purchase inside a transaction: facts, then state, due time and events, then the owner, then the
/// index of its transactions and its products, then its refunds.
struct PurchaseRepair: Sendable {
    private static let inputsPerPage = 200

    let app: AppID
    let id: OriginalTransactionID
    let differences: [RebuildDifference]
    let policy: AccessPolicy

    /// Stores what follows from the evidence.
    ///
    /// Facts are joined by the same code as new ones, so the feed announces what changes.
    ///
    /// - Throws: ``StorageError``.
    func run(_ storage: any StorageWriting) throws(StorageError) {
        let repairsPurchase = !differences.allSatisfy(\.code.isBesidePurchases)
        if repairsPurchase { try repairPurchase(storage) }
        try repairTables(storage)
        if repairsPurchase || differences.contains(where: { $0.code == .refundsDiffer }) {
            try storage.deriveRefunds(of: id, app: app)
        }
    }

    private func repairPurchase(_ storage: any StorageWriting) throws(StorageError) {
        if differences.contains(where: { $0.code == .purchaseUnreadable }) {
            try storage.removeFacts(PurchaseLedger(originalID: id), clearsState: true, of: app)
        }
        // The row of a lost purchase no longer says which inputs are about it.
        if let last = differences.compactMap(\.sequence).max() { try storage.relink(last, to: id, app: app) }
        let stored = try storage.ledger(of: id, app: app)
        let before = try storage.purchase(id, of: app)
        let inputs = try inputs(about: stored, storage)
        let facts = inputs.flatMap(\.facts).filter { $0.originalID == id }
        try removeFactsWithoutEvidence(from: stored, known: Set(facts), storage)
        let now = try derivationTime(before, inputs, storage)
        let update = PurchaseUpdate(app: app, time: FixedTimeSource(now), policy: policy, storage: storage)
        if facts.isEmpty {
            try update.reevaluate(id)
        } else {
            try update.join(facts)
        }
        try repairOwner(isLost: before == nil, at: now, storage)
    }

    private struct Input {
        let id: EvidenceID
        let receivedAt: Timestamp
        let facts: [Fact]
    }

    /// The inputs about the purchase, those of the differences, and those that the stored facts name.
    private func inputs(about stored: PurchaseLedger, _ storage: any StorageWriting) throws(StorageError) -> [Input] {
        var inputs: [Input] = []
        var sequence: Int64 = 0
        while true {
            let page = try storage.evidence(about: id, of: app, after: sequence, limit: Self.inputsPerPage)
            for entry in page { inputs.append(input(entry.record)) }
            guard let last = page.last, page.count == Self.inputsPerPage else { break }
            sequence = last.sequence
        }
        let known = Set(inputs.map(\.id))
        let named = Set(differences.compactMap(\.evidenceID) + stored.facts.map(\.evidence)).subtracting(known)
        for id in named.sorted() {
            if let record = try storage.evidence(id, of: app) { inputs.append(input(record)) }
        }
        return inputs
    }

    /// An input that this version cannot parse has no facts; it is reported.
    private func input(_ record: EvidenceRecord) -> Input {
        var facts: [Fact] = []
        do throws(StorageError) { facts = try ParsedEvidence(record).facts } catch {}
        return Input(id: record.id, receivedAt: record.receivedAt, facts: facts)
    }

    private func removeFactsWithoutEvidence(
        from stored: PurchaseLedger,
        known: Set<Fact>,
        _ storage: any StorageWriting
    ) throws(StorageError) {
        let kept = stored.facts.filter(known.contains)
        guard kept.count < stored.facts.count else { return }
        try storage.removeFacts(stored, clearsState: false, of: app)
        for fact in kept { try storage.save(fact, of: app) }
    }

    /// The latest time at which a server is known to have worked. No clock is read: one that is ahead would end access.
    /// What became due since is processed by the server.
    private func derivationTime(
        _ before: PurchaseRecord?,
        _ inputs: [Input],
        _ storage: any StorageWriting
    ) throws(StorageError) -> Timestamp {
        if let before { return before.evaluatedAt }
        let times = inputs.map(\.receivedAt) + [try storage.latestDerivation()].compactMap(\.self)
        return times.max() ?? Timestamp(milliseconds: 0)
    }

    /// Gives the purchase to the owner by the stored claims, if another owner is stored or the row was lost.
    private func repairOwner(
        isLost: Bool,
        at now: Timestamp,
        _ storage: any StorageWriting
    ) throws(StorageError) {
        guard let record = try storage.purchase(id, of: app) else { return }
        let row = PurchaseRow(
            id: id,
            ledger: try storage.ledger(of: id, app: app),
            record: record,
            dueAt: nil,
            claims: try storage.claims(on: id, app: app),
            sharers: try storage.sharers(of: id, app: app)
        )
        let stored = PurchaseOwnership(owner: record.customerID, basis: record.claim, sharers: row.sharers)
        let owners = try OwnerComparison([row], app: app, policy: policy, storage: storage)
        guard let derived = try owners.derived(row, record, isLost: isLost), !derived.hasSameCustomers(as: stored)
        else { return }
        let customers = [stored.owner, derived.owner].compactMap(\.self) + stored.sharers + derived.others
        let changes = try CustomerChanges(of: customers, app: app, now: now, storage: storage)
        var next = record
        next.customerID = derived.owner
        next.claim = derived.basis
        try storage.save(next, sharers: derived.others, app: app)
        try changes.recordAndBumpVersions(events: [], owner: derived.owner, changed: true)
    }

    /// Repairs the index of transactions and the sold products by the stored facts.
    private func repairTables(_ storage: any StorageWriting) throws(StorageError) {
        guard differences.contains(where: \.code.isBesidePurchases) else { return }
        let ledger = try storage.ledger(of: id, app: app)
        let entries = Set(ledger.indexedTransactions)
        for transaction in Set(differences.compactMap(\.transactionID)) {
            let entry = IndexedTransaction(id: transaction, purchaseID: id)
            if entries.contains(entry) {
                try storage.insert(entry, of: app)
            } else {
                try storage.remove(entry, of: app)
            }
        }
        for product in Set(differences.compactMap(\.productID)) {
            guard let fact = ledger.timeline.last(where: { $0.productID == product }) else { continue }
            try storage.save(SoldProduct(fact), in: app)
        }
    }
}
