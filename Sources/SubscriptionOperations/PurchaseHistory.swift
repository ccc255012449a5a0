import SubscriptionCore
import SubscriptionStorage

/// A purchase told again from its kept inputs, in the order in which they were signed, with the clock between them.
struct PurchaseHistory {
    /// How many inputs are read at a time.
    private static let pageSize = 200

    /// What was known of the purchase at the end.
    private(set) var ledger: PurchaseLedger
    /// What happened, in order.
    private(set) var entries: [TimelineEntry] = []
    private var state: PurchaseState?
    private let policy: AccessPolicy

    /// Tells a purchase again, by what was signed up to an instant.
    ///
    /// - Throws: ``StorageError``.
    init(
        of purchase: OriginalTransactionID,
        app: AppID,
        until end: Timestamp,
        policy: AccessPolicy,
        storage: any StorageReading
    ) throws(StorageError) {
        ledger = PurchaseLedger(originalID: purchase)
        self.policy = policy
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

    /// Lets the clock do what it does before an instant.
    private mutating func passTime(before end: Timestamp) {
        while let instant = state?.nextChangeAt, instant < end { step(from: ledger, at: instant, by: nil) }
    }

    private mutating func take(_ evidence: KeptEvidence, signedAt: Timestamp, by id: EvidenceID) {
        let before = ledger
        for fact in evidence.facts { ledger.join(fact) }
        step(from: before, at: signedAt, by: id, named: evidence.purchaseName)
        if let announcement = evidence.announcement { entries.append(TimelineEntry(announcement, evidenceID: id)) }
    }

    private mutating func step(
        from before: PurchaseLedger,
        at instant: Timestamp,
        by evidence: EvidenceID?,
        named name: PurchaseName? = nil
    ) {
        let next = ledger.state(at: instant, policy: policy)
        var change = PurchaseChange(
            before: before,
            after: ledger,
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
