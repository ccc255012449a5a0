import SubscriptionCore
import SubscriptionStorage

/// Compares the facts of a stored purchase with its signed inputs, and state, due time and owner with what follows from
/// facts and claims.
///
/// If the stored facts are not those of the inputs, state, due time and owner are compared with what follows from the
/// inputs. So a changed fact is one difference, and what was changed together with it is found too.
struct PurchaseComparison {
    private let app: AppID
    private let policy: AccessPolicy
    private let rule: EntitlementRule
    private let storage: any StorageReading

    /// - Throws: ``StorageError``.
    init(app: AppID, policy: AccessPolicy, storage: any StorageReading) throws(StorageError) {
        self.app = app
        self.policy = policy
        self.storage = storage
        rule = try storage.entitlementRule(of: app)
    }

    /// What of some purchases differs from what follows from their stored facts, in the order of the purchases. Nothing
    /// of a purchase that cannot be read is compared.
    ///
    /// - Throws: ``StorageError``.
    func differences(of page: [PurchaseRow]) throws(StorageError) -> [[RebuildDifference]] {
        let owners = try OwnerComparison(page, app: app, policy: policy, storage: storage)
        var found: [[RebuildDifference]] = []
        found.reserveCapacity(page.count)
        for row in page {
            guard row.isReadable else {
                found.append([])
                continue
            }
            var differences = stateDifferences(of: row)
            if let difference = try owners.compare(row) { differences.append(difference) }
            found.append(differences)
        }
        return found
    }

    /// Whether the stored facts of a purchase are those of its signed inputs.
    ///
    /// - Throws: ``StorageError``.
    func hasFactsOfEvidence(_ row: PurchaseRow) throws(StorageError) -> Bool {
        let evidence = try PurchaseEvidence(of: row.ledger, app: app, storage: storage)
        return evidence.ledger(insteadOf: row.ledger).facts == row.ledger.facts
    }

    /// The facts of a purchase that no input contains, and, if the stored facts are not those of the inputs, what
    /// differs from what follows from the inputs.
    ///
    /// A fact with other values than its input has, or that is missing, was reported by the pass over evidence.
    ///
    /// - Throws: ``StorageError``.
    func evidenceDifferences(of row: PurchaseRow) throws(StorageError) -> [RebuildDifference] {
        let evidence = try PurchaseEvidence(of: row.ledger, app: app, storage: storage)
        var found: [RebuildDifference] = []
        for fact in row.ledger.facts where !evidence.saysSomething(like: fact) && !evidence.mayHide(fact) {
            var difference = RebuildDifference(
                .factWithoutEvidence,
                row.id,
                evidence: fact.evidence,
                stored: DifferenceText.summary(fact)
            )
            difference.fact = difference.stored
            found.append(difference)
        }
        var corrected = row
        corrected.ledger = evidence.ledger(insteadOf: row.ledger)
        guard corrected.ledger.facts != row.ledger.facts else { return found }
        for part in try differences(of: [corrected]) { found += part }
        return found
    }

    /// The state is derived for the time of the stored one, so a change that is due is no difference.
    private func stateDifferences(of row: PurchaseRow) -> [RebuildDifference] {
        guard let record = row.record else {
            guard let fact = row.ledger.facts.last else { return [] }
            let facts = "a state from facts such as \(DifferenceText.summary(fact))"
            return [RebuildDifference(.stateDiffers, row.id, stored: DifferenceText.noState, derived: facts)]
        }
        var found: [RebuildDifference] = []
        let derived = row.ledger.state(at: record.evaluatedAt, policy: policy)
        let isAllowed = rule.allows(record, derived: derived)
        if !isAllowed {
            let texts = DifferenceText.states(stored: record.state, derived: derived)
            found.append(RebuildDifference(.stateDiffers, row.id, stored: texts.stored, derived: texts.derived))
        }
        // A transaction without the identifier does not remove it.
        if let account = row.ledger.appTransactionID, account != record.appTransactionID {
            found.append(
                RebuildDifference(
                    .stateDiffers,
                    row.id,
                    stored: "appTransactionID: \(record.appTransactionID ?? "none")",
                    derived: "appTransactionID: \(account)"
                )
            )
        }
        let derivedDue = derived.flatMap { rule.timed($0, at: record.evaluatedAt).nextChangeAt }
        let dueAt = isAllowed ? record.state?.nextChangeAt : derivedDue
        // The time of a wrong state is no second difference.
        if row.dueAt != dueAt, isAllowed || row.dueAt != record.state?.nextChangeAt {
            found.append(
                RebuildDifference(.dueTimeDiffers, row.id, stored: row.dueAt?.exactText, derived: dueAt?.exactText)
            )
        }
        return found
    }
}

extension EntitlementRule {
    /// Whether a stored record has the derived state.
    ///
    /// While the store retries a charge, the next change also depends on own grace periods. An operator may have
    /// changed them after the state was derived, so each end that they can have is allowed.
    fileprivate func allows(_ record: PurchaseRecord, derived: PurchaseState?) -> Bool {
        guard case .subscription(let stored)? = record.state, case .subscription(var expected)? = derived,
            stored.status == .inBillingRetry, expected.status == .inBillingRetry
        else { return record.state == derived }
        let last = expected.nextChangeAt
        expected.nextChangeAt = stored.nextChangeAt
        guard stored == expected else { return false }
        if stored.nextChangeAt == last { return true }
        if case .subscription(let timed) = timed(.subscription(expected), at: record.evaluatedAt),
            timed.nextChangeAt == stored.nextChangeAt
        {
            return true
        }
        guard let next = stored.nextChangeAt, next > stored.periodEndsAt else { return false }
        return last.map { next < $0 } ?? true
    }
}
