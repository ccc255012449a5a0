import SubscriptionCore
import SubscriptionStorage

/// The repair of one purchase inside a transaction: facts, then state, due time and events, then the owner, then the
/// index of its transactions and its products, then its refunds.
struct PurchaseRepair: Sendable {
    let app: AppID
    let id: OriginalTransactionID
    let differences: [RebuildDifference]
    let policy: AccessPolicy

    /// Stores what follows from the evidence.
    ///
    /// The feed announces changes of state and access. Charges were announced when their inputs came.
    ///
    /// - Throws: ``StorageError``; `storage_corrupt` if an input cannot be read and the customer would have less access
    ///   without it.
    func run(_ storage: any StorageWriting) throws(StorageError) {
        let repairsPurchase = !differences.allSatisfy(\.code.isBesidePurchases)
        if repairsPurchase { try repairPurchase(storage) }
        try repairTables(storage)
        if repairsPurchase || differences.contains(where: { $0.code == .refundsDiffer }) {
            try storage.deriveRefunds(of: id, app: app)
        }
    }

    private func repairPurchase(_ storage: any StorageWriting) throws(StorageError) {
        let wasUnreadable = differences.contains { $0.code == .purchaseUnreadable }
        if wasUnreadable { try storage.removeFacts(PurchaseLedger(originalID: id), clearsState: true, of: app) }
        // The row of a lost purchase no longer says which inputs are about it.
        if let last = differences.compactMap(\.sequence).max() { try storage.relink(last, to: id, app: app) }
        let stored = try storage.ledger(of: id, app: app)
        let before = try storage.purchase(id, of: app)
        let named = differences.compactMap(\.evidenceID)
        let evidence = try PurchaseEvidence(of: stored, and: named, app: app, storage: storage)
        let hasOtherFacts = try replaceFacts(stored, by: evidence.ledger(insteadOf: stored), storage)
        let now = try derivationTime(before, evidence, storage)
        let update = PurchaseUpdate(app: app, time: FixedTimeSource(now), policy: policy, storage: storage)
        try update.rederive(id, hasOtherFacts: hasOtherFacts)
        try repairOwner(isLost: before == nil, readsInputs: evidence.isComplete, at: now, storage)
        guard !evidence.isComplete else { return }
        let after = try storage.purchase(id, of: app)?.state
        if wasUnreadable {
            guard after?.givesAccess == true else { throw .inputNeeded }
        } else if let lost = before?.state, lost.givesAccess {
            guard let after, after.keepsAccess(of: lost) else { throw .inputNeeded }
        }
    }

    /// Returns whether the facts changed.
    private func replaceFacts(
        _ stored: PurchaseLedger,
        by ledger: PurchaseLedger,
        _ storage: any StorageWriting
    ) throws(StorageError) -> Bool {
        guard ledger.facts != stored.facts else { return false }
        try storage.removeFacts(stored, clearsState: false, of: app)
        for fact in ledger.facts { try storage.save(fact, of: app) }
        let known = Set(stored.timeline.map(\.productID))
        for fact in ledger.timeline where !known.contains(fact.productID) {
            try storage.noteSale(of: SoldProduct(fact), app: app)
        }
        return true
    }

    /// The latest time at which a server is known to have worked. No clock is read: one that is ahead would end access.
    /// What became due since is processed by the server.
    private func derivationTime(
        _ before: PurchaseRecord?,
        _ evidence: PurchaseEvidence,
        _ storage: any StorageWriting
    ) throws(StorageError) -> Timestamp {
        if let before { return before.evaluatedAt }
        let times = [evidence.lastReceivedAt, try storage.latestDerivation()].compactMap(\.self)
        return times.max() ?? Timestamp(milliseconds: 0)
    }

    /// Gives the purchase to the owner by the stored claims, if another owner is stored or the row was lost.
    private func repairOwner(
        isLost: Bool,
        readsInputs: Bool,
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
        let ownership = try owners.derived(row, record, isLost: isLost, readsInputs: readsInputs)
        guard let derived = ownership, !derived.hasSameCustomers(as: stored) else { return }
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

extension PurchaseState {
    /// Whether it gives the access that another state gives, to the same product and at least as long.
    fileprivate func keepsAccess(of other: PurchaseState) -> Bool {
        guard givesAccess, productID == other.productID else { return false }
        guard case .subscription(let own) = self, case .subscription(let other) = other else { return true }
        return own.periodEndsAt >= other.periodEndsAt
    }
}

extension StorageError {
    /// A repair that would take access because of an input that cannot be read.
    fileprivate static let inputNeeded = StorageError(
        .corrupt,
        "A signed input about the purchase cannot be read, and the customer would have less access without it. Copy "
            + "the input's row from a backup.",
        isRetryable: false
    )
}
