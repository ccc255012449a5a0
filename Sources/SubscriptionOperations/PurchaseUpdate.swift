import SubscriptionCore
import SubscriptionStorage

/// One step of the ledger inside a transaction: facts in, or time passed; state, owner and events out.
///
/// ``FactIntake`` brings the facts, and the clock makes purchases due.
struct PurchaseUpdate {
    let app: AppID
    let time: any TimeSource
    let policy: AccessPolicy
    let storage: any StorageWriting

    /// Joins facts, which may concern several purchases, and records what was said beside them.
    ///
    /// - Parameters:
    ///   - facts: The facts.
    ///   - announcement: What changes no state, but is told: to the owner of its purchase, where it has one.
    ///   - name: What the store calls the purchase that one of the facts tells of.
    ///   - predecessors: From which other purchase one goes on.
    /// - Throws: ``StorageError``.
    func join(
        _ facts: [Fact],
        announcement: SubscriptionEvent? = nil,
        name: PurchaseName? = nil,
        predecessors: [OriginalTransactionID: OriginalTransactionID] = [:]
    ) throws(StorageError) {
        var waiting = announcement
        let all = Self.byPurchase(facts)
        let batch = all.count > 1 ? CustomerBatch(app: app, storage: storage) : nil
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
        try batch?.record()
        if let waiting { try storage.append([waiting], customer: nil, recordedAt: time.now(), app: app) }
    }

    /// Facts with the purchase that they are about, in order of purchase; nearly always they are about one.
    private static func byPurchase(_ facts: [Fact]) -> [(OriginalTransactionID, [Fact])] {
        guard let first = facts.first?.originalID else { return [] }
        if facts.allSatisfy({ $0.originalID == first }) { return [(first, facts)] }
        return Dictionary(grouping: facts, by: \.originalID).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Joins a fact that a customer's app submitted.
    ///
    /// The fact is true whoever sent it and is taken in any case; who owns the purchase is another question.
    ///
    /// What was asked is kept, so that ownership can be derived again.
    ///
    /// - Returns: Why the customer does not have the purchase now; nil where the customer has it.
    /// - Throws: ``StorageError``.
    private func submit(
        _ fact: Fact,
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
        return try update(fact.originalID, facts: [fact], submission: submission, batch: batch).refusal
    }

    /// Claims several purchases for a customer, and joins what else is known of them.
    ///
    /// - Parameters:
    ///   - facts: A fact of each purchase.
    ///   - claimant: The customer.
    ///   - rest: Facts that are joined after the claims.
    ///   - predecessors: From which other purchase one goes on.
    /// - Returns: Why the customer does not have every purchase then; nil where the customer has.
    /// - Throws: ``StorageError``.
    func claim(
        _ facts: [Fact],
        for claimant: Claimant,
        joining rest: [Fact] = [],
        predecessors: [OriginalTransactionID: OriginalTransactionID] = [:]
    ) throws(StorageError) -> ClaimRefusal? {
        var refusal: ClaimRefusal?
        let batch = facts.count > 1 ? CustomerBatch(app: app, storage: storage) : nil
        for fact in facts { refusal = try submit(fact, claimant: claimant, batch: batch) ?? refusal }
        try batch?.record()
        // One claim decides by itself.
        if facts.count == 1, rest.isEmpty { return refusal }
        try join(rest, predecessors: predecessors)
        // Asked last: under the rule `transfer_if_inactive` every fact counts.
        guard try !has(facts.map(\.originalID), customer: claimant.customer) else { return nil }
        return refusal ?? .submittedBefore
    }

    /// Whether a customer has purchases, as their owner or because they are shared.
    ///
    /// - Throws: ``StorageError``.
    private func has(_ purchases: [OriginalTransactionID], customer name: CustomerID) throws(StorageError) -> Bool {
        let customer = try storage.customerID(for: name, app: app)
        return try Set(storage.purchases(of: customer, app: app).map(\.id)).isSuperset(of: purchases)
    }

    /// Records what is said about an account of the store, for each customer who has a purchase of it; for nobody where
    /// none has.
    ///
    /// - Throws: ``StorageError``.
    func tell(_ announcement: SubscriptionEvent, owners purchases: [PurchaseRecord]) throws(StorageError) {
        let now = time.now()
        let customers = Set(purchases.compactMap(\.customerID)).sorted()
        for customer in customers {
            try CustomerChanges(of: [customer], app: app, now: now, storage: storage)
                .record(events: [announcement], owner: customer, changed: false)
        }
        if customers.isEmpty { try storage.append([announcement], customer: nil, recordedAt: now, app: app) }
    }

    /// Derives a purchase's state anew because time has passed.
    ///
    /// - Throws: ``StorageError``.
    func reevaluate(_ purchase: OriginalTransactionID) throws(StorageError) {
        try update(purchase, facts: [])
    }

    @discardableResult
    private func update(
        _ id: OriginalTransactionID,
        facts: [Fact],
        announcements: [SubscriptionEvent] = [],
        name: PurchaseName? = nil,
        submission: OwnershipQuery.Submission? = nil,
        predecessor: OriginalTransactionID? = nil,
        batch: CustomerBatch? = nil
    ) throws(StorageError) -> OwnershipDecision {
        let held = try storage.ledger(of: id, app: app)
        var ledger = held
        var isJoined = false
        for fact in facts where ledger.join(fact) {
            isJoined = true
            try storage.save(fact, of: app)
            // Renewals are of a product that the purchase had before: they are nearly all.
            if case .transaction(let fact) = fact, !held.timeline.contains(where: { $0.productID == fact.productID }) {
                try storage.noteSale(of: SoldProduct(fact), app: app)
            }
        }

        let known = try storage.purchase(id, of: app)
        let now = instant(for: ledger, derivedAt: known?.evaluatedAt)
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
            isTokenNew: ledger.accountToken != held.accountToken,
            policy: policy
        )
        let decision = try decideOwnership(of: next, query, batch: batch)
        next.customerID = decision.ownership.owner
        next.claim = decision.ownership.basis

        // Their entitlements may change.
        let touched =
            [record.customerID, next.customerID].compactMap(\.self) + decision.previousSharers
            + decision.ownership.sharers
        try batch?.look(at: touched, now: now)
        let customers =
            try batch == nil ? CustomerChanges(of: touched, app: app, now: now, storage: storage) : nil
        try storage.store(decision, of: next, app: app)
        var change = PurchaseChange(
            before: held,
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
        try batch?.note(events, owner: next.customerID, changed: changed, of: touched, now: now)
        try customers?.record(
            events: events,
            owner: next.customerID,
            changed: changed,
            // Those who share it have it without being its customer: what they have is read again.
            purchase: decision.isShared ? nil : next
        )
        if let reason = decision.refusal, let claim = query.submission?.claim {
            try tell(of: RefusedClaim(of: ClaimRecord(claim, on: id), because: reason), owner: next.customerID)
        }
        var last = decision
        for other in succession.submissions.dropFirst() {
            last = try update(id, facts: [], submission: other, batch: batch)
        }
        return last
    }
}

extension PurchaseUpdate {
    /// The instant at which a purchase's state is derived. It is read once the purchase is held: nobody derives it
    /// meanwhile.
    ///
    /// What was derived a little later than now is not undone; what was derived much later was derived by a clock that
    /// was ahead. While the clock is disputed, only what was signed or derived before is known to have passed.
    private func instant(for ledger: PurchaseLedger, derivedAt: Timestamp?) -> Timestamp {
        let clock = time.reading
        guard !clock.isDisputed else {
            return [derivedAt, ledger.signedAt].lazy.compactMap(\.self).max() ?? clock.now
        }
        guard let derivedAt, !clock.isBehind(derivedAt) else { return clock.now }
        return max(clock.now, derivedAt)
    }

    /// When a customer's app claims a purchase. Apple's clock may be ahead: what is submitted was signed by then.
    func claimTime(of fact: Fact) -> Timestamp {
        let clock = time.reading
        return clock.isDisputed ? fact.signedAt : max(clock.now, fact.signedAt)
    }
}

extension PurchaseLedger {
    /// When the newest of what is known was signed.
    fileprivate var signedAt: Timestamp? {
        let dates = timeline.map(\.signedAt) + [renewal?.signedAt, status?.signedAt].compactMap(\.self)
        return dates.max()
    }

    /// The store's account that the newest transaction with one names.
    fileprivate var appTransactionID: String? {
        timeline.last { $0.appTransactionID != nil }?.appTransactionID
    }

    /// The account token that the newest transaction with one carries.
    var accountToken: String? {
        timeline.last { $0.accountToken != nil }?.accountToken
    }
}

extension Fact {
    /// The customer whom an account token in it names.
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
