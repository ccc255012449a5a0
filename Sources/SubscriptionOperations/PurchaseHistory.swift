import SubscriptionCore
import SubscriptionStorage

/// A purchase told again from its kept inputs, in the order in which they were signed, with the clock between them.
///
/// Each step looks only at the transactions that can still matter, so that hundreds of renewals are told in linear
/// time.
struct PurchaseHistory {
    /// How many inputs are read at a time.
    private static let pageSize = 200
    /// How many transactions a step looks at beside those that are new, at least.
    static let recentCount = 8

    /// What happened, in order.
    private(set) var entries: [TimelineEntry] = []
    /// What is known, but for transactions that are over and that nothing newer concerns.
    private var recent: PurchaseLedger
    /// Those transactions.
    private var settled: [TransactionID: TransactionFact] = [:]
    private var state: PurchaseState?
    private let policy: AccessPolicy
    private let recentCount: Int

    /// Tells a purchase again, by what was signed up to an instant.
    ///
    /// - Parameter recentCount: How many transactions are recent; ``recentCount`` unless a test compares.
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
            take(try KeptEvidence(input), signedAt: input.signedAt, by: input.id)
        }
        passTime(before: end.adding(milliseconds: 1))
    }

    /// The kept inputs about a purchase, in the order in which they were signed.
    ///
    /// - Throws: ``StorageError``.
    static func inputs(
        about purchase: OriginalTransactionID,
        app: AppID,
        storage: any StorageReading
    ) throws(StorageError) -> [EvidenceRecord] {
        var inputs: [EvidenceRecord] = []
        var place: Int64 = 0
        while true {
            let page = try storage.evidence(about: purchase, of: app, after: place, limit: pageSize)
            inputs += page.map(\.record)
            guard let last = page.last, page.count == pageSize else { break }
            place = last.sequence
        }
        return inputs.sorted { ($0.signedAt, $0.id) < ($1.signedAt, $1.id) }
    }

    /// What was known of a purchase at an instant, by what was signed until then.
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
            for fact in try KeptEvidence(input).facts { ledger.join(fact) }
        }
        return ledger
    }

    /// Lets the clock do what it does before an instant.
    private mutating func passTime(before end: Timestamp) {
        while let instant = state?.nextChangeAt, instant < end { step(from: recent, at: instant, by: nil) }
    }

    private mutating func take(_ evidence: KeptEvidence, signedAt: Timestamp, by id: EvidenceID) {
        if evidence.facts.contains(where: isAboutThePast) { recallSettled() }
        let before = recent
        for fact in evidence.facts { recent.join(fact) }
        step(from: before, at: signedAt, by: id, named: evidence.purchaseName)
        if let announcement = evidence.announcement { entries.append(TimelineEntry(announcement, evidenceID: id)) }
        settle(at: signedAt)
    }

    private mutating func step(
        from before: PurchaseLedger,
        at instant: Timestamp,
        by evidence: EvidenceID?,
        named name: PurchaseName? = nil
    ) {
        let next = recent.state(at: instant, policy: policy)
        var change = PurchaseChange(
            before: before,
            after: recent,
            stateBefore: state,
            stateAfter: next,
            now: instant,
            policy: policy
        )
        change.name = name
        entries += change.events.map { TimelineEntry($0, evidenceID: evidence) }
        state = next
    }
}

extension PurchaseHistory {
    /// Whether a fact may concern a transaction that is settled: it is about one, or about a time before the newest.
    private func isAboutThePast(_ fact: Fact) -> Bool {
        guard case .transaction(let fact) = fact, !settled.isEmpty, recent[fact.id] == nil else { return false }
        return recent.timeline.last.map { fact.purchasedAt <= $0.purchasedAt } ?? true
    }

    /// Looks at everything again.
    private mutating func recallSettled() {
        recent = PurchaseLedger(
            originalID: recent.originalID,
            transactions: Array(settled.values) + recent.timeline,
            renewal: recent.renewal,
            status: recent.status
        )
        settled = [:]
    }

    /// Sets aside what is over, where nothing that is known or comes later can be about it but a statement of its own.
    ///
    /// What was over before the oldest recent transaction began neither runs, nor follows, nor was replaced by a recent
    /// one. Recent ones that stand tell where the subscription stands, whatever becomes of one of them, and one of them
    /// was signed last.
    private mutating func settle(at instant: Timestamp) {
        let timeline = recent.timeline
        guard timeline.count >= 2 * recentCount, timeline.allSatisfy({ $0.kind == .autoRenewable }) else { return }
        let (old, kept) = (timeline.dropLast(recentCount), timeline.suffix(recentCount))
        guard
            let start = kept.first?.purchasedAt, start <= instant,
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
