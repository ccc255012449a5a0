import SubscriptionCore
import SubscriptionStorage

/// An entry that is due, with what the facts said about its subscription.
struct DuePoll: Sendable {
    /// The entry. It wants the history only if periods still seem to be missing.
    let poll: StatusPoll
    /// The end of the last gap between known periods; nil if there was none.
    let lastGapEnd: Timestamp?
    /// Whether Apple's statement about its renewal or status was known. A newer one is then not of its past.
    let isStatusKnown: Bool

    /// - Parameter ledger: The facts about the subscription.
    init(_ poll: StatusPoll, _ ledger: PurchaseLedger) {
        self.poll = poll
        lastGapEnd = ledger.lastGapEnd
        isStatusKnown = ledger.renewal != nil || ledger.status != nil
    }

    /// Whether the facts show a gap that was not there.
    func isGapNew(in ledger: PurchaseLedger) -> Bool {
        guard let gapEnd = ledger.lastGapEnd else { return false }
        guard let lastGapEnd else { return true }
        return lastGapEnd < gapEnd
    }
}

/// Apple's answer to an entry.
struct PollAnswer: Sendable {
    /// What became of the history.
    enum History: Hashable, Sendable {
        /// Only the status was asked for.
        case notWanted
        /// It was read, or Apple refuses to tell it.
        case read
        /// Some pages were read. The rest follows.
        case unfinished
        /// It has to be asked for again.
        case failed
    }

    /// The statuses, and the history if it was read.
    private(set) var found: VerifiedPurchases
    /// What became of the history.
    private(set) var history = History.notWanted
    /// The signed inputs of the statuses.
    private let statuses: Set<EvidenceID>

    init(found: VerifiedPurchases) {
        self.found = found
        statuses = found.evidence
    }

    /// The answer as an input of the intake.
    ///
    /// Of a purchase that was submitted without events, the past and the first status cause no events. Later ones
    /// do, also while the history fails.
    func input(for due: DuePoll, of app: AppID) -> VerifiedInput {
        let poll = due.poll
        var suppressed: VerifiedInput.SuppressedEvents?
        if poll.omitsEvents {
            suppressed = VerifiedInput.SuppressedEvents(
                purchase: poll.purchaseID,
                news: due.isStatusKnown ? statuses : []
            )
        }
        // An entry that wants the history remains until it is read, so missing periods of its purchase need no other
        // one. Another purchase of the store account has no such entry.
        let awaited = poll.wantsHistory ? poll.purchaseID : nil
        return found.answer(of: app, suppressed: suppressed, awaitedHistory: awaited)
    }

    /// Adds the history.
    mutating func add(_ outcome: AccountHistories.Outcome) {
        switch outcome {
        case .read(let purchases):
            found.merge(purchases)
            history = .read
        case .unfinished: history = .unfinished
        case .failed: history = .failed
        }
    }
}
