/// The part of a subscription's state that time moves.
struct SubscriptionPhase {
    var status: SubscriptionStatus
    var givesAccess: Bool
    var periodEndsAt: Timestamp
    var endReason: SubscriptionState.EndReason?
    var nextChangeAt: Timestamp?
    /// Until when a renewal that is due is awaited; nil where none is.
    var awaitedUntil: Timestamp?

    /// For how long after the end of a period the store tries to charge: 60 days, of a plan with a commitment 90.
    static func retryMilliseconds(_ renewal: RenewalFact?) -> Int64 {
        let day: Int64 = 24 * 60 * 60 * 1000
        return (renewal?.isCommitted == true ? 90 : 60) * day
    }

    private init(
        _ status: SubscriptionStatus,
        periodEndsAt: Timestamp,
        endReason: SubscriptionState.EndReason? = nil,
        nextChangeAt: Timestamp? = nil,
        awaitedUntil: Timestamp? = nil
    ) {
        self.status = status
        givesAccess = status == .active || status == .inGracePeriod
        self.periodEndsAt = periodEndsAt
        self.endReason = endReason
        self.nextChangeAt = nextChangeAt
        self.awaitedUntil = awaitedUntil
    }

    /// Derives the phase of a subscription at an instant.
    ///
    /// - Parameters:
    ///   - ledger: What is known.
    ///   - current: The charge of the present or last period.
    ///   - now: The instant.
    ///   - policy: The developer's choices.
    init(ledger: PurchaseLedger, current: TransactionFact, now: Timestamp, policy: AccessPolicy) {
        let end = current.end
        if let word = ledger.wordOfEnd {
            self = Self.ended(current, by: word, ledger: ledger)
        } else if current.revocation == nil, end > now {
            self.init(.active, periodEndsAt: end, nextChangeAt: end)
        } else if let newer = ledger.assertedPeriod(after: end) {
            self = Self.of(newer, current: current, ledger: ledger, now: now, policy: policy)
        } else if let revocation = current.revocation {
            self = Self.of(current, revoked: revocation, ledger: ledger, now: now, policy: policy)
        } else {
            let period = SubscriptionPeriod(start: current.purchasedAt, end: end)
            self = Self.of(period, current: current, ledger: ledger, now: now, policy: policy)
        }
    }

    /// What a subscription is that has ended by the store's newest word.
    private static func ended(_ current: TransactionFact, by word: StatusFact, ledger: PurchaseLedger) -> Self {
        guard word.status == .revoked else {
            // A period is not longer than the store says that it was.
            let end = min(current.end, max(word.signedAt, current.purchasedAt))
            return Self(.expired, periodEndsAt: end, endReason: ledger.endReason(after: end, of: current))
        }
        let isShared = current.revocation.map { $0.kind == .sharingEnded } ?? (current.ownership != .purchased)
        return Self(.revoked, periodEndsAt: current.end, endReason: isShared ? .sharingEnded : .refunded)
    }

    /// What a period is that was taken back.
    private static func of(
        _ current: TransactionFact,
        revoked revocation: Revocation,
        ledger: PurchaseLedger,
        now: Timestamp,
        policy: AccessPolicy
    ) -> Self {
        let end = current.end
        guard ledger.hadEnded(before: revocation, of: current) else {
            let reason: SubscriptionState.EndReason = revocation.kind == .sharingEnded ? .sharingEnded : .refunded
            return Self(.revoked, periodEndsAt: end, endReason: reason)
        }
        if let renewal = ledger.renewal, renewal.speaks(of: end), renewal.isInBillingRetry {
            return retrying(after: end, graceEnd: nil, ledger: ledger, now: now, policy: policy)
        }
        return Self(.expired, periodEndsAt: end, endReason: ledger.endReason(after: end, of: current))
    }

    /// What a period that stands is, and what follows it.
    private static func of(
        _ period: SubscriptionPeriod,
        current: TransactionFact,
        ledger: PurchaseLedger,
        now: Timestamp,
        policy: AccessPolicy
    ) -> Self {
        let end = period.end
        if end > now { return Self(.active, periodEndsAt: end, nextChangeAt: end) }
        if let failure = ledger.failedCharge(after: period) {
            return retrying(after: end, graceEnd: failure.graceEnd, ledger: ledger, now: now, policy: policy)
        }
        let leewayEnd = end.adding(milliseconds: min(policy.renewalLeewayMilliseconds, period.milliseconds))
        if let renewal = ledger.renewal, renewal.isDue, leewayEnd > now {
            return Self(.active, periodEndsAt: end, nextChangeAt: leewayEnd, awaitedUntil: leewayEnd)
        }
        return Self(.expired, periodEndsAt: end, endReason: ledger.endReason(after: end, of: current))
    }

    /// While the store tries to charge: first in the grace period, where there is one, and for so long after the end.
    private static func retrying(
        after end: Timestamp,
        graceEnd: Timestamp?,
        ledger: PurchaseLedger,
        now: Timestamp,
        policy: AccessPolicy
    ) -> Self {
        if let graceEnd, graceEnd > now { return Self(.inGracePeriod, periodEndsAt: end, nextChangeAt: graceEnd) }
        let over = end.adding(milliseconds: retryMilliseconds(ledger.renewal))
            .adding(milliseconds: policy.renewalLeewayMilliseconds)
        if over > now { return Self(.inBillingRetry, periodEndsAt: end, nextChangeAt: over) }
        return Self(.expired, periodEndsAt: end, endReason: .billingRetry)
    }
}

/// A period by its ends.
struct SubscriptionPeriod {
    let start: Timestamp
    let end: Timestamp

    /// How long it lasts; never negative.
    var milliseconds: Int64 {
        let (length, overflow) = end.milliseconds.subtractingReportingOverflow(start.milliseconds)
        return overflow ? .max : max(0, length)
    }
}
