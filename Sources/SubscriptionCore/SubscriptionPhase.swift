/// The part of a subscription's state that depends on time.
struct SubscriptionPhase {
    var status: SubscriptionStatus
    var givesAccess: Bool
    var periodEndsAt: Timestamp
    var endReason: SubscriptionState.EndReason?
    var nextChangeAt: Timestamp?
    /// Until when access stays while a renewal is due; nil if none is due.
    var awaitedUntil: Timestamp?

    /// How long the store retries a charge after the end of a period: 60 days, or 90 days for a plan with a commitment.
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

    /// Derives the phase of a subscription at a time.
    ///
    /// - Parameters:
    ///   - ledger: The facts.
    ///   - current: The charge of the current or last period.
    ///   - now: The time.
    ///   - policy: The developer's policy.
    init(ledger: PurchaseLedger, current: TransactionFact, now: Timestamp, policy: AccessPolicy) {
        let end = current.end
        if let endStatus = ledger.endStatus {
            self = Self.ended(current, by: endStatus, ledger: ledger)
        } else if current.revocation == nil, end > now {
            self.init(.active, periodEndsAt: end, nextChangeAt: end)
        } else if let newer = ledger.assertedPeriod(after: end) {
            self = Self.ofUnrevoked(newer, current: current, ledger: ledger, now: now, policy: policy)
        } else if let revocation = current.revocation {
            self = Self.ofRevoked(current, by: revocation, ledger: ledger, now: now, policy: policy)
        } else {
            let period = SubscriptionPeriod(start: current.purchasedAt, end: end)
            self = Self.ofUnrevoked(period, current: current, ledger: ledger, now: now, policy: policy)
        }
    }

    /// The phase of a subscription that ended by the store's newest status.
    private static func ended(_ current: TransactionFact, by endStatus: StatusFact, ledger: PurchaseLedger) -> Self {
        guard endStatus.status == .revoked else {
            // The period ends no later than the status was signed.
            let end = min(current.end, max(endStatus.signedAt, current.purchasedAt))
            return Self(.expired, periodEndsAt: end, endReason: ledger.endReason(after: end, of: current))
        }
        let isShared = current.revocation.map { $0.kind == .sharingEnded } ?? (current.ownership != .purchased)
        return Self(.revoked, periodEndsAt: current.end, endReason: isShared ? .sharingEnded : .refunded)
    }

    /// The phase after the newest period was revoked: revoked, or expired if it had expired before.
    ///
    /// In the latter case it is in billing retry if the renewal record says so.
    private static func ofRevoked(
        _ current: TransactionFact,
        by revocation: Revocation,
        ledger: PurchaseLedger,
        now: Timestamp,
        policy: AccessPolicy
    ) -> Self {
        let end = current.end
        guard ledger.hadEnded(before: revocation, of: current) else {
            let reason: SubscriptionState.EndReason = revocation.kind == .sharingEnded ? .sharingEnded : .refunded
            return Self(.revoked, periodEndsAt: end, endReason: reason)
        }
        if let renewal = ledger.renewal, renewal.concerns(periodEnding: end), renewal.isInBillingRetry {
            return retrying(after: end, graceEnd: nil, ledger: ledger, now: now, policy: policy)
        }
        return Self(.expired, periodEndsAt: end, endReason: ledger.endReason(after: end, of: current))
    }

    /// The phase of a period that was not revoked.
    private static func ofUnrevoked(
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

    /// The phase while the store retries the charge: the grace period, if there is one, then billing retry.
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

/// A period with its start and end.
struct SubscriptionPeriod {
    let start: Timestamp
    let end: Timestamp

    /// How long it lasts; never negative.
    var milliseconds: Int64 {
        let (length, overflow) = end.milliseconds.subtractingReportingOverflow(start.milliseconds)
        return overflow ? .max : max(0, length)
    }
}
