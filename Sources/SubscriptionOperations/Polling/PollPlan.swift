import SubscriptionCore

/// When Apple has to be asked about a subscription: a pure function of its facts.
///
/// The facts say when Apple last stated something about it, so that nothing else has to be remembered. A notification
/// or another answer of Apple is as good as an answer to a poll.
struct PollPlan {
    let settings: PollingSettings
    let policy: AccessPolicy

    /// How long after the end of a period billing retry is asked about. It lasts 60 days, or 90 with a commitment.
    private static let retryMillisecondsMax: Int64 = 93 * 86_400_000

    /// The next time; nil if nothing more has to be asked.
    ///
    /// - Parameters:
    ///   - ledger: The facts.
    ///   - now: The current time.
    ///   - askedAt: When Apple was asked last, if the facts do not tell it.
    func next(for ledger: PurchaseLedger, at now: Timestamp, askedAt: Timestamp? = nil) -> Timestamp? {
        guard case .subscription(let state)? = ledger.state(at: now, policy: policy), state.status != .revoked else {
            return nil
        }
        let stated = [ledger.renewal?.signedAt, ledger.status?.signedAt, askedAt].compactMap(\.self).max()
        // A submitted transaction alone does not tell whether the subscription renews.
        guard let stated else {
            let signedAt = ledger.timeline.lazy.map(\.signedAt).max() ?? state.periodStartsAt
            return signedAt.adding(milliseconds: settings.afterEndMilliseconds.first ?? 0)
        }
        let end = ledger.paidUntil(at: now) ?? state.periodEndsAt
        switch state.status {
        case .inGracePeriod, .inBillingRetry: return duringRetry(after: stated, end: end, state)
        case .expired where state.endReason == .billingRetry: return duringRetry(after: stated, end: end, state)
        case .expired where stated >= end && state.endReason != .unknown: return nil
        default: return around(end, after: stated)
        }
    }

    /// The first time around the end of a period that is later than the newest statement of Apple.
    private func around(_ end: Timestamp, after stated: Timestamp) -> Timestamp? {
        var times = settings.afterEndMilliseconds.map { end.adding(milliseconds: $0) }
        if settings.beforeEndMilliseconds > 0 {
            times.insert(end.adding(milliseconds: -settings.beforeEndMilliseconds), at: 0)
        }
        return times.first { $0 > stated }
    }

    private func duringRetry(after stated: Timestamp, end: Timestamp, _ state: SubscriptionState) -> Timestamp? {
        guard stated < end.adding(milliseconds: Self.retryMillisecondsMax) else { return nil }
        let next = stated.adding(milliseconds: settings.billingRetryMilliseconds)
        guard let grace = state.graceExpiresAt, let first = settings.afterEndMilliseconds.first else { return next }
        let graceOver = grace.adding(milliseconds: first)
        return stated < graceOver ? min(next, graceOver) : next
    }
}

extension PurchaseLedger {
    /// Whether it is of a subscription that began before the server heard of it.
    var isLateJoiner: Bool { !isBeginningKnown && timeline.last?.kind == .autoRenewable }

    /// The longest time between the end of a period and the start of its renewal that is not a gap.
    ///
    /// Apple does not document that a renewal's `purchaseDate` is exactly the `expiresDate` before it (unverified). The
    /// shortest period has three minutes: a week in the sandbox.
    ///
    /// - Units: milliseconds.
    private static let renewalDelayMax: Int64 = 60_000

    /// The start of the last period that begins after all known time that was paid; nil if there is none.
    ///
    /// Either a period is missing there, or the customer was not subscribed. The facts do not tell which.
    var lastGapEnd: Timestamp? {
        var gapEnd: Timestamp?
        var paidUntil: Timestamp?
        for period in timeline where period.kind == .autoRenewable {
            if let paidUntil, paidUntil.adding(milliseconds: Self.renewalDelayMax) < period.purchasedAt {
                gapEnd = period.purchasedAt
            }
            let end = period.expiresAt ?? period.purchasedAt
            paidUntil = paidUntil.map { max($0, end) } ?? end
        }
        return gapEnd
    }

    /// Whether there is a gap that ends after the start of every period of an earlier ledger.
    ///
    /// Periods that come into a gap make no new one, so each gap is found once.
    func hasNewGap(since previous: PurchaseLedger) -> Bool {
        guard let lastGapEnd else { return false }
        guard let newest = previous.timeline.last(where: { $0.kind == .autoRenewable }) else { return true }
        return newest.purchasedAt < lastGapEnd
    }
}

extension PurchaseState? {
    /// Whether a change to a new state may bring the next poll forward, or make one necessary.
    ///
    /// In all other cases an earlier entry is there already.
    func needsEarlierPoll(than next: PurchaseState?) -> Bool {
        guard case .subscription(let next)? = next, next.status != .revoked else { return false }
        guard case .subscription(let previous)? = self else { return true }
        return next.periodEndsAt < previous.periodEndsAt || (previous.isOver && !next.isOver)
            || (previous.isOver && next.periodEndsAt != previous.periodEndsAt)
    }
}

extension SubscriptionState {
    fileprivate var isOver: Bool { status == .expired || status == .revoked }
}
