import SubscriptionCore
import SubscriptionStorage

/// The repair of one purchase inside a transaction: facts, then state, due time and events, then the owner, then the
/// index of its transactions and its products, then its refunds.
struct PurchaseRepair: Sendable {
    let app: AppID
    let id: OriginalTransactionID
    let differences: [RebuildDifference]
    let policy: AccessPolicy
    /// The present time, which only decides whether a purchase that cannot be read is repaired at all.
    let now: Timestamp

    /// Stores what follows from the evidence.
    ///
    /// The feed announces changes of state and access. Charges were announced when their inputs came.
    ///
    /// - Throws: ``StorageError``; ``StorageError/Code/inputNeeded`` if an input cannot be read and the customer could
    ///   have less access without it.
    func run(_ storage: any StorageWriting) throws(StorageError) {
        let repairsPurchase = !differences.allSatisfy(\.code.isBesidePurchases)
        if repairsPurchase { try repairPurchase(storage) }
        try repairTables(storage)
        if repairsPurchase || differences.contains(where: { $0.code == .refundsDiffer }) {
            try storage.deriveRefunds(of: id, app: app)
        }
    }

    private func repairPurchase(_ storage: any StorageWriting) throws(StorageError) {
        let unreadable = try clearUnreadableParts(storage)
        // The row of a lost purchase no longer says which inputs are about it.
        if let last = differences.compactMap(\.sequence).max() { try storage.relink(last, to: id, app: app) }
        let stored = try storage.ledger(of: id, app: app)
        let before = try storage.purchase(id, of: app)
        let named = differences.compactMap(\.evidenceID)
        let evidence = try PurchaseEvidence(of: stored, and: named, app: app, storage: storage)
        let derived = evidence.ledger(insteadOf: stored)
        let hasOtherFacts = try replaceFacts(stored, by: derived, storage)
        let time = try derivationTime(before, evidence, storage)
        let update = PurchaseUpdate(app: app, time: FixedTimeSource(time), policy: policy, storage: storage)
        try update.rederive(id, hasOtherFacts: hasOtherFacts)
        try repairOwner(isLost: before == nil, readsInputs: evidence.isComplete, at: time, storage)
        guard !evidence.isComplete else { return }
        let after = try storage.purchase(id, of: app)
        let known = before?.state ?? unreadable?.record?.state
        let isSafe =
            if unreadable?.hasReadableFacts == false {
                after?.customerID == before?.customerID
                    && keeps(known, after?.state, derived, at: max(now, time))
            } else if let known = known ?? stored.state(at: time, policy: policy), known.givesAccess {
                after?.state?.keepsAccess(of: known) == true
            } else {
                true
            }
        guard isSafe else { throw .inputNeeded }
    }

    /// Removes what cannot be read. The facts that can be read stay stored, and so does a state that can be read.
    ///
    /// - Returns: The purchase as it was stored; nil if all of it can be read.
    private func clearUnreadableParts(_ storage: any StorageWriting) throws(StorageError) -> PurchaseRow? {
        guard differences.contains(where: { $0.code == .purchaseUnreadable }),
            let row = try storage.purchaseRow(id, of: app), !row.isReadable
        else { return nil }
        try storage.removeFacts(row.ledger, clearsState: !row.hasReadableRecord, of: app)
        for fact in row.ledger.facts { try storage.save(fact, of: app) }
        return row
    }

    /// Whether a purchase whose stored facts were lost says the same about access as its stored state. Without such a
    /// state, it must give access now.
    private func keeps(
        _ known: PurchaseState?,
        _ after: PurchaseState?,
        _ derived: PurchaseLedger,
        at now: Timestamp
    ) -> Bool {
        guard let known else { return derived.state(at: now, policy: policy)?.givesAccess == true }
        return after?.keepsAccess(of: known) == true
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
    /// Whether it says the same about access as another state: access or none, to the same product and at least as
    /// long.
    fileprivate func keepsAccess(of other: PurchaseState) -> Bool {
        guard givesAccess == other.givesAccess, productID == other.productID else { return false }
        guard case .subscription(let own) = self, case .subscription(let other) = other else { return true }
        return own.periodEndsAt >= other.periodEndsAt && own.accessEndsAt >= other.accessEndsAt
    }
}

extension SubscriptionState {
    /// The end of the period, or of the time after it in which access stays.
    fileprivate var accessEndsAt: Timestamp {
        let later = [graceExpiresAt, nextPeriod.awaitedUntil].compactMap(\.self).max()
        return max(periodEndsAt, later ?? periodEndsAt)
    }
}

extension StorageError.Code {
    /// A repair could take access because of an input that cannot be read. It does not leave the rebuild.
    static let inputNeeded = StorageError.Code(rawValue: "rebuild_input_needed")
}

extension StorageError {
    fileprivate static let inputNeeded = StorageError(
        .inputNeeded,
        "A signed input about the purchase cannot be read, and the customer could have less access without it. Copy "
            + "the input's row from a backup.",
        isRetryable: false
    )
}
