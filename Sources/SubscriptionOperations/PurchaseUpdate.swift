import SubscriptionCore
import SubscriptionStorage

/// One step of the ledger inside a transaction: facts in, or time passed; state, owner and events out.
///
/// Every route ends here, so that there is one way in.
struct PurchaseUpdate {
    let app: AppID
    let now: Timestamp
    let policy: AccessPolicy
    let storage: any StorageWriting

    /// Joins facts, which may concern several purchases, and records what was said beside them.
    ///
    /// - Parameter announcement: What changes no state, but is told: to the owner of its purchase, where it has one.
    /// - Throws: ``StorageError``.
    func join(_ facts: [Fact], announcement: SubscriptionEvent? = nil) throws(StorageError) {
        var waiting = announcement
        for (purchase, facts) in Dictionary(grouping: facts, by: \.originalID).sorted(by: { $0.key < $1.key }) {
            let own = waiting.flatMap { $0.purchaseID == purchase ? $0 : nil }
            try update(purchase, facts: facts, announcements: [own].compactMap(\.self))
            if own != nil { waiting = nil }
        }
        if let waiting { try storage.append([waiting], customer: nil, recordedAt: now, app: app) }
    }

    /// Joins a fact that a customer's app submitted.
    ///
    /// The fact is true whoever sent it and is taken in any case; who owns the purchase is another question.
    ///
    /// What was asked is kept, so that ownership can be derived again.
    ///
    /// - Returns: Who owns the purchase now: another customer, if that one submitted it first.
    /// - Throws: ``StorageError``.
    func submit(_ fact: Fact, customer: CustomerID) throws(StorageError) -> CustomerID? {
        let claim = ClaimRecord(
            purchaseID: fact.originalID,
            customerID: customer,
            evidenceID: fact.evidence,
            claimedAt: now
        )
        try storage.insert(claim, of: app)
        return try update(fact.originalID, facts: [fact], submittedBy: customer)
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
        submittedBy submitter: CustomerID? = nil
    ) throws(StorageError) -> CustomerID? {
        let held = try storage.ledger(of: id, app: app)
        var ledger = held
        for fact in facts where ledger.join(fact) { try storage.save(fact, of: app) }

        let record = try storage.purchase(id, of: app) ?? PurchaseRecord(id: id, evaluatedAt: now)
        // Who waited for this transaction took the time before: what was derived at a later instant is not undone.
        let now = max(now, record.evaluatedAt)
        var next = record
        next.evaluatedAt = now
        next.state = ledger.state(at: now, policy: policy)
        next.claim(submittedBy: submitter, accountToken: ledger.accountToken)

        let customers = try CustomerChanges(
            of: [record.customerID, next.customerID].compactMap(\.self),
            app: app,
            now: now,
            storage: storage
        )
        try storage.save(next, of: app)
        let change = PurchaseChange(
            before: held,
            after: ledger,
            stateBefore: record.state,
            stateAfter: next.state,
            now: now,
            share: policy.developerShare
        )
        let changed = ledger != held || next.state != record.state || next.customerID != record.customerID
        try customers.record(
            events: change.events + announcements,
            owner: next.customerID,
            changed: changed,
            purchase: next
        )
        return next.customerID
    }
}

extension PurchaseRecord {
    /// Settles whose purchase it is: what an app submitted beats the account token, the first to submit keeps it, and what
    /// an operator decided stands.
    fileprivate mutating func claim(submittedBy submitter: CustomerID?, accountToken: String?) {
        if let claim, claim >= .submitted { return }
        if let submitter {
            customerID = submitter
            claim = .submitted
        } else if let accountToken {
            customerID = CustomerID(accountToken)
            claim = .accountToken
        }
    }
}

extension PurchaseLedger {
    /// The account token that the newest transaction with one carries.
    fileprivate var accountToken: String? {
        timeline.last { $0.accountToken != nil }?.accountToken
    }
}

extension Fact {
    /// The signed input that said so.
    fileprivate var evidence: EvidenceID {
        switch self {
        case .transaction(let fact): fact.evidence
        case .renewal(let fact): fact.evidence
        case .status(let fact): fact.evidence
        }
    }
}
