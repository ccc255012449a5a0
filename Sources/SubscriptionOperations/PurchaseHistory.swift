import SubscriptionCore
import SubscriptionStorage

/// Derives the history of a purchase from its stored inputs in the order of signing, with the changes by time between
/// them.
///
/// Each step considers only the transactions that can still matter, so hundreds of renewals take linear time.
struct PurchaseHistory {
    /// How far the signatures of one answer of Apple may lie apart.
    ///
    /// - Units: milliseconds.
    private static let answerMilliseconds: Int64 = 1_000
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
        let inputs = try Self.inputs(about: purchase, app: app, storage: storage).prefix { $0.signedAt <= end }
        var rest = inputs[...]
        while let first = rest.first {
            let answer = Self.answer(beginning: first, in: rest)
            rest = rest.dropFirst(answer.count)
            passTime(before: first.signedAt)
            try take(answer)
        }
        passTime(before: end.adding(milliseconds: 1))
    }

    /// The first input with the others of the same answer of Apple.
    ///
    /// An answer has a transaction and its renewal information. They are one statement, as the intake takes them: the
    /// renewal information alone, without the new period, would end the subscription.
    private static func answer(
        beginning first: EvidenceRecord,
        in inputs: ArraySlice<EvidenceRecord>
    ) -> ArraySlice<EvidenceRecord> {
        guard first.kind != .notification else { return inputs.prefix(1) }
        let end = first.signedAt.adding(milliseconds: answerMilliseconds)
        return inputs.prefix { $0.kind != .notification && $0.signedAt <= end }
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
        while let time = state?.nextChangeAt, time < end { step(from: recent, at: time) }
    }

    private mutating func take(_ answer: ArraySlice<EvidenceRecord>) throws(StorageError) {
        guard let time = answer.last?.signedAt else { return }
        var inputs: [Input] = []
        for record in answer { inputs.append(Input(id: record.id, evidence: try ParsedEvidence(record))) }
        let facts = inputs.flatMap(\.evidence.facts)
        if facts.contains(where: isAboutThePast) { recallSettled() }
        let before = recent
        for fact in facts { recent.join(fact) }
        step(from: before, at: time, by: inputs, named: inputs.first?.evidence.purchaseName)
        for input in inputs {
            guard let announcement = input.evidence.announcement else { continue }
            entries.append(TimelineEntry(announcement, evidenceID: input.id))
        }
        settle(at: time)
    }

    private mutating func step(
        from before: PurchaseLedger,
        at time: Timestamp,
        by inputs: [Input] = [],
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
        entries += change.events.map { event in
            let cause = inputs.first { $0.isAbout(event.transactionID) } ?? inputs.last
            return TimelineEntry(event, evidenceID: cause?.id)
        }
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

/// A stored input and its content.
private struct Input {
    let id: EvidenceID
    let evidence: ParsedEvidence

    /// Whether it is about a transaction, or is renewal information, which is about none.
    func isAbout(_ transaction: TransactionID?) -> Bool {
        evidence.facts.contains { fact in
            switch fact {
            case .transaction(let fact): fact.id == transaction
            case .renewal, .status: transaction == nil
            }
        }
    }
}
