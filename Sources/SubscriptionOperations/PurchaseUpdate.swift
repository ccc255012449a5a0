import SubscriptionCore
import SubscriptionStorage

/// One update of a purchase inside a transaction: from new facts or the passage of time to state, owner and events.
///
/// ``FactIntake`` supplies the facts; ``DuePurchases`` updates purchases by time.
struct PurchaseUpdate {
    let app: AppID
    let time: any TimeSource
    let policy: AccessPolicy
    let storage: any StorageWriting
    /// Whether changes are recorded as events.
    var recordsEvents = true
    /// Whether missing periods of a known purchase are a reason to ask for the history.
    var asksForHistory = true
    /// The purchase whose history is asked for in any case.
    var awaitedHistory: OriginalTransactionID?
    /// Whether facts are compared with extensions that nothing has shown yet. An announcement completes its own.
    var looksForExtensions = true

    /// Joins facts, which may concern several purchases, and records an announcement.
    ///
    /// - Parameters:
    ///   - facts: The facts.
    ///   - announcement: An event that changes no state. It goes to the owner of its purchase, if there is one.
    ///   - name: The store's name for the purchase of one of the facts.
    ///   - predecessors: The predecessors of purchases.
    /// - Throws: ``StorageError``.
    func join(
        _ facts: [Fact],
        announcement: SubscriptionEvent? = nil,
        name: PurchaseName? = nil,
        predecessors: [OriginalTransactionID: OriginalTransactionID] = [:]
    ) throws(StorageError) {
        var waiting = announcement
        let all = Self.byPurchase(facts)
        let batch = all.count > 1 ? CustomerBatch(app: app, recordsEvents: recordsEvents, storage: storage) : nil
        for (purchase, facts) in all {
            let own = waiting.flatMap { $0.purchaseID == purchase ? $0 : nil }
            try update(
                purchase,
                facts: facts,
                announcements: [own].compactMap(\.self),
                name: name,
                predecessor: predecessors[purchase],
                batch: batch
            )
            if own != nil { waiting = nil }
        }
        try batch?.recordAndBumpVersions()
        if let waiting { try storage.append([waiting], customer: nil, recordedAt: time.now(), app: app) }
    }

    /// The facts grouped by purchase, in order of purchase; usually there is only one.
    private static func byPurchase(_ facts: [Fact]) -> [(OriginalTransactionID, [Fact])] {
        guard let first = facts.first?.originalID else { return [] }
        if facts.allSatisfy({ $0.originalID == first }) { return [(first, facts)] }
        return Dictionary(grouping: facts, by: \.originalID).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Joins a fact that a customer's app submitted, and all other facts about its purchase.
    ///
    /// The facts are stored in any case, because they are true regardless of their sender. Ownership is decided
    /// separately. The facts are joined together: a first period alone would look like a subscription that has expired.
    ///
    /// The claim is stored, so that ownership can be derived again.
    ///
    /// - Parameter others: Further facts about the purchase.
    /// - Returns: Why the customer does not have the purchase; nil if the customer has it.
    /// - Throws: ``StorageError``.
    private func submit(
        _ fact: Fact,
        with others: [Fact],
        claimant: Claimant,
        batch: CustomerBatch? = nil
    ) throws(StorageError) -> ClaimRefusal? {
        let customer = claimant.customer
        let claim = PurchaseClaim(
            by: claimant,
            evidence: fact.evidence,
            at: claimTime(of: fact),
            policy: try storage.settings(of: app).transferPolicy,
            under: policy
        )
        let submitter = try storage.customerID(for: customer, app: app)
        let submission = OwnershipQuery.Submission(claim: claim, customer: submitter)
        return try update(fact.originalID, facts: [fact] + others, submission: submission, batch: batch).refusal
    }

    /// Claims several purchases for a customer and joins further facts.
    ///
    /// - Parameters:
    ///   - facts: A fact of each purchase.
    ///   - claimant: The customer.
    ///   - rest: Further facts about these purchases, and facts about others, which are joined after the claims.
    ///   - predecessors: The predecessors of purchases.
    /// - Returns: Why the customer does not have all purchases; nil if the customer has them.
    /// - Throws: ``StorageError``.
    func claim(
        _ facts: [Fact],
        for claimant: Claimant,
        joining rest: [Fact] = [],
        predecessors: [OriginalTransactionID: OriginalTransactionID] = [:]
    ) throws(StorageError) -> ClaimRefusal? {
        var refusal: ClaimRefusal?
        let batch = facts.count > 1 ? CustomerBatch(app: app, recordsEvents: recordsEvents, storage: storage) : nil
        var further = Dictionary(grouping: rest, by: \.originalID)
        for fact in facts {
            let id = fact.originalID
            // A predecessor is looked for without a claim, so these facts are joined again.
            let others = (predecessors[id] == nil ? further.removeValue(forKey: id) : further[id]) ?? []
            refusal = try submit(fact, with: others, claimant: claimant, batch: batch) ?? refusal
        }
        try batch?.recordAndBumpVersions()
        // One claim decides by itself.
        if facts.count == 1, rest.isEmpty { return refusal }
        try join(rest.filter { further[$0.originalID] != nil }, predecessors: predecessors)
        // Checked last, because under `transfer_if_inactive` every fact counts.
        guard try !has(facts.map(\.originalID), customer: claimant.customer) else { return nil }
        return refusal ?? .submittedBefore
    }

    /// Whether a customer has purchases, as their owner or as a sharer.
    ///
    /// - Throws: ``StorageError``.
    private func has(_ purchases: [OriginalTransactionID], customer name: CustomerID) throws(StorageError) -> Bool {
        let customer = try storage.customerID(for: name, app: app)
        return try Set(storage.purchases(of: customer, app: app).map(\.id)).isSuperset(of: purchases)
    }

    /// Records an announcement about a store account for each owner of its purchases, or without a customer if there is
    /// none.
    ///
    /// - Throws: ``StorageError``.
    func recordAnnouncement(
        _ announcement: SubscriptionEvent,
        owners purchases: [PurchaseRecord]
    ) throws(StorageError) {
        let now = time.now()
        let customers = Set(purchases.compactMap(\.customerID)).sorted()
        for customer in customers {
            try CustomerChanges(of: [customer], app: app, now: now, storage: storage)
                .recordAndBumpVersions(events: [announcement], owner: customer, changed: false)
        }
        if customers.isEmpty { try storage.append([announcement], customer: nil, recordedAt: now, app: app) }
    }

    /// Derives a purchase's state again because time has passed.
    ///
    /// - Throws: ``StorageError``.
    func reevaluate(_ purchase: OriginalTransactionID) throws(StorageError) {
        try update(purchase, facts: [])
    }

    /// Derives a purchase again whose stored facts were replaced by those of its inputs.
    ///
    /// The facts were announced when their inputs came, so charges are not announced again.
    ///
    /// - Parameter hasOtherFacts: Whether the stored facts changed.
    /// - Throws: ``StorageError``.
    func rederive(_ purchase: OriginalTransactionID, hasOtherFacts: Bool) throws(StorageError) {
        try update(purchase, facts: [], hasOtherFacts: hasOtherFacts)
    }

    @discardableResult
    private func update(
        _ id: OriginalTransactionID,
        facts: [Fact],
        hasOtherFacts: Bool = false,
        announcements: [SubscriptionEvent] = [],
        name: PurchaseName? = nil,
        submission: OwnershipQuery.Submission? = nil,
        predecessor: OriginalTransactionID? = nil,
        batch: CustomerBatch? = nil
    ) throws(StorageError) -> OwnershipDecision {
        let previous = try storage.ledger(of: id, app: app)
        var ledger = previous
        var isJoined = hasOtherFacts
        var refunds = RefundChange()
        for fact in facts {
            refunds.note(fact, before: ledger)
            guard ledger.join(fact) else { continue }
            isJoined = true
            try storage.save(fact, of: app)
            // Most facts are renewals of a product that the purchase already had.
            if case .transaction(let fact) = fact,
                !previous.timeline.contains(where: { $0.productID == fact.productID })
            {
                try storage.noteSale(of: SoldProduct(fact), app: app)
            }
        }

        if isJoined, looksForExtensions, facts.mayShowExtension(since: previous) {
            try storage.noteSeenExtensions(in: ledger, app: app)
        }

        let known = try storage.purchase(id, of: app)
        let now = evaluationTime(for: ledger, derivedAt: known?.evaluatedAt)
        let record = known ?? PurchaseRecord(id: id, evaluatedAt: now)
        var next = record
        next.evaluatedAt = now
        next.appTransactionID = ledger.appTransactionID ?? record.appTransactionID
        next.state = ledger.state(at: now, policy: policy)
        if case .subscription(let state)? = next.state, state.status == .inBillingRetry {
            next.state = try storage.entitlementRule(of: app).timed(.subscription(state), at: now)
        }
        var succession = OwnershipSuccession.none
        if submission == nil, record.claim == nil || record.claim == .accountToken, let predecessor,
            let fact = facts.first
        {
            succession = try self.succession(to: fact, accountToken: ledger.accountToken, from: predecessor)
        }
        let query = OwnershipQuery(
            owner: record.customerID,
            basis: record.claim,
            submission: submission ?? succession.submissions.first,
            accountToken: ledger.accountToken ?? succession.accountToken,
            isTokenNew: ledger.accountToken != previous.accountToken,
            policy: policy
        )
        let decision = try decideOwnership(of: next, query, batch: batch)
        next.customerID = decision.ownership.owner
        next.claim = decision.ownership.basis

        // Their entitlements may change.
        let touched =
            [record.customerID, next.customerID].compactMap(\.self) + decision.previousSharers
            + decision.ownership.sharers
        try batch?.addCustomers(touched, now: now)
        let customers =
            try batch == nil
            ? CustomerChanges(of: touched, app: app, now: now, recordsEvents: recordsEvents, storage: storage) : nil
        if let owner = record.customerID, owner != next.customerID { try storage.forgetConsumption(on: id, app: app) }
        try storage.store(decision, of: next, app: app)
        try store(refunds, of: id, announcements)
        let isLate = ledger.isLateJoiner
        let asks = asksForHistory && id != awaitedHistory
        let hasNewGap = isJoined && asks && ledger.hasNewGap(since: previous)
        if isLate && previous.timeline.isEmpty || hasNewGap {
            let poll = StatusPoll(dueAt: now, purchaseID: id, wantsHistory: true, omitsEvents: !recordsEvents)
            try storage.save(poll, of: app)
        } else if record.state.needsEarlierPoll(than: next.state) {
            let wantsHistory = isLate && asks
            let poll = StatusPoll(
                dueAt: now,
                purchaseID: id,
                wantsHistory: wantsHistory,
                omitsEvents: wantsHistory && !recordsEvents
            )
            // An entry of the same millisecond may want the history.
            try storage.plan(poll, of: app)
        }
        var change = PurchaseChange(
            before: previous,
            after: ledger,
            stateBefore: record.state,
            stateAfter: next.state,
            now: now,
            policy: policy
        )
        change.name = name
        let changed =
            isJoined || next.state != record.state || next.customerID != record.customerID || decision.changesSharers
        let events = change.events + announcements
        try batch?.add(events, owner: next.customerID, changed: changed, of: touched, now: now)
        try customers?.recordAndBumpVersions(
            events: events,
            owner: next.customerID,
            changed: changed,
            // Sharers are not stored in the purchase record, so their purchases are read again.
            purchase: decision.isShared ? nil : next
        )
        if let reason = decision.refusal, let claim = query.submission?.claim {
            try storeRefusedClaim(RefusedClaim(of: ClaimRecord(claim, on: id), because: reason), owner: next.customerID)
        }
        var last = decision
        for other in succession.submissions.dropFirst() {
            last = try update(id, facts: [], submission: other, batch: batch)
        }
        return last
    }
}

extension PurchaseUpdate {
    /// The time for deriving a purchase's state. It is read after the purchase is locked, so no other transaction
    /// derives the state meanwhile.
    ///
    /// A state that was derived slightly later than now is not undone. A much later one was derived by a clock that was
    /// ahead. While the clock is disputed, only the times in signed facts and earlier derivations are trusted.
    private func evaluationTime(for ledger: PurchaseLedger, derivedAt: Timestamp?) -> Timestamp {
        let clock = time.reading
        guard !clock.isDisputed else {
            return [derivedAt, ledger.signedAt].lazy.compactMap(\.self).max() ?? clock.now
        }
        guard let derivedAt, !clock.isBehind(derivedAt) else { return clock.now }
        return max(clock.now, derivedAt)
    }

    /// The time of a claim, but not before the submitted data was signed, because Apple's clock may be ahead.
    func claimTime(of fact: Fact) -> Timestamp {
        let clock = time.reading
        return clock.isDisputed ? fact.signedAt : max(clock.now, fact.signedAt)
    }
}

extension PurchaseLedger {
    /// The newest signing time.
    fileprivate var signedAt: Timestamp? {
        let dates = timeline.map(\.signedAt) + [renewal?.signedAt, status?.signedAt].compactMap(\.self)
        return dates.max()
    }

    /// The app transaction identifier of the newest transaction that has one.
    var appTransactionID: String? {
        timeline.last { $0.appTransactionID != nil }?.appTransactionID
    }

    /// The account token of the newest transaction that has one.
    var accountToken: String? {
        timeline.last { $0.accountToken != nil }?.accountToken
    }
}

extension Fact {
    /// The customer in its account token.
    var namedCustomer: CustomerID? {
        guard case .transaction(let fact) = self else { return nil }
        return fact.accountToken.map(CustomerID.init(rawValue:))
    }

    /// The signed input that said so.
    var evidence: EvidenceID {
        switch self {
        case .transaction(let fact): fact.evidence
        case .renewal(let fact): fact.evidence
        case .status(let fact): fact.evidence
        }
    }

    /// When it was signed.
    fileprivate var signedAt: Timestamp {
        switch self {
        case .transaction(let fact): fact.signedAt
        case .renewal(let fact): fact.signedAt
        case .status(let fact): fact.signedAt
        }
    }
}
