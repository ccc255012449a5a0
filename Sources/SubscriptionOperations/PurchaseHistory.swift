import SubscriptionCore
import SubscriptionStorage

/// Derives the history of a purchase from its stored inputs in the order of signing, with the changes by time between
/// them.
///
/// Each step considers only the transactions that can still matter, so hundreds of renewals take linear time.
struct PurchaseHistory {
    /// How many inputs are read at a time.
    private static let pageSize = 200
    /// The minimum number of transactions that a step considers besides new ones.
    static let recentCount = 8

    /// The entries, in order.
    private(set) var entries: [TimelineEntry] = []
    /// The ledger without the settled transactions.
    private var recent: PurchaseLedger
    /// The transactions that have ended and that no later fact is expected to concern.
    private var settled: [TransactionID: TransactionFact] = [:]
    private var state: PurchaseState?
    private let policy: AccessPolicy
    private let recentCount: Int

    /// Derives the history of a purchase from inputs that were signed up to a time.
    ///
    /// - Parameter recentCount: The number of recent transactions; tests compare other values.
    /// - Throws: ``StorageError``.
    init(
        of purchase: OriginalTransactionID,
        app: AppID,
        until end: Timestamp,
        policy: AccessPolicy,
        recentCount: Int = PurchaseHistory.recentCount,
        storage: any StorageReading
    ) throws(StorageError) {
        recent = PurchaseLedger(originalID: purchase)
        self.policy = policy
        self.recentCount = recentCount
        let inputs = try Self.inputs(about: purchase, app: app, storage: storage)
        for input in inputs where input.signedAt <= end {
            passTime(before: input.signedAt)
            take(try ParsedEvidence(input), signedAt: input.signedAt, by: input.id)
        }
        passTime(before: end.adding(milliseconds: 1))
    }

    /// The stored inputs about a purchase, in the order of signing.
    ///
    /// - Throws: ``StorageError``.
    static func inputs(
        about purchase: OriginalTransactionID,
        app: AppID,
        storage: any StorageReading
    ) throws(StorageError) -> [EvidenceRecord] {
        var inputs: [EvidenceRecord] = []
        var sequence: Int64 = 0
        while true {
            let page = try storage.evidence(about: purchase, of: app, after: sequence, limit: pageSize)
            inputs += page.map(\.record)
            guard let last = page.last, page.count == pageSize else { break }
            sequence = last.sequence
        }
        return inputs.sorted { ($0.signedAt, $0.id) < ($1.signedAt, $1.id) }
    }

    /// The ledger of a purchase from inputs that were signed up to a time.
    ///
    /// - Throws: ``StorageError``.
    static func ledger(
        of purchase: OriginalTransactionID,
        app: AppID,
        until end: Timestamp,
        storage: any StorageReading
    ) throws(StorageError) -> PurchaseLedger {
        var ledger = PurchaseLedger(originalID: purchase)
        for input in try inputs(about: purchase, app: app, storage: storage) where input.signedAt <= end {
            for fact in try ParsedEvidence(input).facts { ledger.join(fact) }
        }
        return ledger
    }

    /// Applies the changes by time before a given time.
    private mutating func passTime(before end: Timestamp) {
        while let time = state?.nextChangeAt, time < end { step(from: recent, at: time, by: nil) }
    }

    private mutating func take(_ evidence: ParsedEvidence, signedAt: Timestamp, by id: EvidenceID) {
        if evidence.facts.contains(where: isAboutThePast) { recallSettled() }
        let before = recent
        for fact in evidence.facts { recent.join(fact) }
        step(from: before, at: signedAt, by: id, named: evidence.purchaseName)
        if let announcement = evidence.announcement { entries.append(TimelineEntry(announcement, evidenceID: id)) }
        settle(at: signedAt)
    }

    private mutating func step(
        from before: PurchaseLedger,
        at time: Timestamp,
        by evidence: EvidenceID?,
        named name: PurchaseName? = nil
    ) {
        let next = recent.state(at: time, policy: policy)
        var change = PurchaseChange(
            before: before,
            after: recent,
            stateBefore: state,
            stateAfter: next,
            now: time,
            policy: policy
        )
        change.name = name
        entries += change.events.map { TimelineEntry($0, evidenceID: evidence) }
        state = next
    }
}

extension PurchaseHistory {
    /// Whether a fact may concern a settled transaction: it is about one, or about a time before the newest.
    private func isAboutThePast(_ fact: Fact) -> Bool {
        guard case .transaction(let fact) = fact, !settled.isEmpty, recent[fact.id] == nil else { return false }
        return recent.timeline.last.map { fact.purchasedAt <= $0.purchasedAt } ?? true
    }

    /// Moves all settled transactions back to the recent ones.
    private mutating func recallSettled() {
        recent = PurchaseLedger(
            originalID: recent.originalID,
            transactions: Array(settled.values) + recent.timeline,
            renewal: recent.renewal,
            status: recent.status
        )
        settled = [:]
    }

    /// Settles ended transactions that only a newer statement of the same transaction can change.
    ///
    /// A transaction that ended before the oldest recent one began is neither current nor next, and no recent one
    /// replaced it. The recent transactions determine the state even if one of them is revoked, and one of them was
    /// signed last.
    private mutating func settle(at time: Timestamp) {
        let timeline = recent.timeline
        guard timeline.count >= 2 * recentCount, timeline.allSatisfy({ $0.kind == .autoRenewable }) else { return }
        let (old, kept) = (timeline.dropLast(recentCount), timeline.suffix(recentCount))
        guard
            let start = kept.first?.purchasedAt, start <= time,
            old.allSatisfy({ ($0.expiresAt ?? $0.purchasedAt) <= start }),
            kept.count(where: { $0.revocation == nil && !$0.isUpgraded }) >= recentCount / 2,
            let newest = kept.lazy.map(\.signedAt).max(), old.allSatisfy({ $0.signedAt <= newest })
        else { return }
        for transaction in old { settled[transaction.id] = transaction }
        recent = PurchaseLedger(
            originalID: recent.originalID,
            transactions: Array(kept),
            renewal: recent.renewal,
            status: recent.status
        )
    }
}
