extension PurchaseLedger {
    /// The state at an instant, or nil while no transaction of the purchase is known.
    ///
    /// - Parameters:
    ///   - now: The instant asked about.
    ///   - policy: The developer's choices.
    public func state(at now: Timestamp, policy: AccessPolicy) -> PurchaseState? {
        guard let latest else { return nil }
        guard latest.kind == .autoRenewable else { return .oneTime(oneTime(latest)) }
        return .subscription(subscription(latest: latest, now: now, policy: policy))
    }

    private func oneTime(_ transaction: TransactionFact) -> OneTimePurchaseState {
        OneTimePurchaseState(
            id: originalID,
            productID: transaction.productID,
            kind: transaction.kind,
            quantity: transaction.quantity,
            ownership: transaction.ownership,
            purchasedAt: transaction.purchasedAt,
            revokedAt: transaction.revocation?.at,
            price: transaction.price,
            storefront: transaction.storefront
        )
    }

    private func subscription(
        latest: TransactionFact,
        now: Timestamp,
        policy: AccessPolicy
    ) -> SubscriptionState {
        let lasting = lasting(at: now)
        // A period that still runs counts, whatever became of others, or one that is about to; otherwise the one that was
        // over last tells.
        let current = lasting.current(at: now) ?? latest
        let following = lasting.following(at: now)
        let phase = Phase(ledger: self, current: current, now: now, policy: policy)
        let ended = phase.status == .expired || phase.status == .revoked
        let renews = following != nil || renewal?.autoRenew ?? (current.revocation == nil)
        return SubscriptionState(
            id: originalID,
            productID: current.productID,
            groupID: current.groupID,
            status: phase.status,
            givesAccess: phase.givesAccess,
            periodType: SubscriptionState.PeriodType(current.offer),
            ownership: current.ownership,
            startedAt: timeline.lazy.map(\.originallyPurchasedAt).min() ?? current.originallyPurchasedAt,
            periodStartsAt: current.purchasedAt,
            periodEndsAt: phase.periodEndsAt,
            graceExpiresAt: phase.status == .inGracePeriod ? renewal?.graceExpiresAt : nil,
            autoRenew: renews && !ended,
            nextProductID: renews && !ended
                ? following?.productID ?? renewal?.nextProductID ?? current.productID : nil,
            billingIssue: phase.status == .inGracePeriod || phase.status == .inBillingRetry ? .paymentFailed : nil,
            endReason: phase.endReason,
            endedEarlyAt: ended ? current.revocation?.at : nil,
            price: current.price,
            storefront: current.storefront,
            introductoryOfferUsed: !knowsBeginning || timeline.contains { $0.offer?.kind == .introductory },
            nextChangeAt: [phase.nextChangeAt, following?.purchasedAt].lazy.compactMap(\.self).min()
        )
    }

    /// What tells of the purchase where no period runs: what was over last, and of several the newest. What another
    /// transaction took the place of tells nothing, as long as the other is known.
    private var latest: TransactionFact? {
        let own = timeline.filter { !$0.isUpgraded && !$0.isReplaced(within: timeline) }
        return own.max { $1.overAt >= $0.overAt } ?? timeline.last
    }

    /// The periods that are not over at an instant and stand, in order of their beginning.
    private func lasting(at now: Timestamp) -> [TransactionFact] {
        timeline.filter { $0.end > max(now, $0.purchasedAt) && $0.stands(within: timeline) }
    }

    /// The period that is paid already and begins after the present one has begun.
    func following(at now: Timestamp) -> TransactionFact? {
        lasting(at: now).following(at: now)
    }

    /// Whether the first transaction is known; one with an introductory offer may be missing where it is not.
    private var knowsBeginning: Bool {
        timeline.contains { $0.id.rawValue == originalID.rawValue || $0.purchasedAt == $0.originallyPurchasedAt }
    }
}

/// Periods that are not over at an instant, in order of their beginning.
extension [TransactionFact] {
    /// The period that runs, or where none does, that is to begin: the one that begins last, or what was added to, where
    /// seats were added to it.
    fileprivate func current(at now: Timestamp) -> TransactionFact? {
        let start = start(at: now)
        guard let last = last(where: { $0.purchasedAt <= start }) else { return nil }
        return first { $0.productID == last.productID && $0.end == last.end }
    }

    /// The next one to begin; what only adds to the present one is none.
    fileprivate func following(at now: Timestamp) -> TransactionFact? {
        guard let current = current(at: now) else { return nil }
        let start = start(at: now)
        return first { $0.purchasedAt > start && ($0.productID, $0.end) != (current.productID, current.end) }
    }

    /// The instant itself, or when the first begins, where none has.
    private func start(at now: Timestamp) -> Timestamp {
        first.map { Swift.max(now, $0.purchasedAt) } ?? now
    }
}

extension TransactionFact {
    /// Whether the store has not taken it back, and nothing took its place.
    ///
    /// The unused part of what was replaced was paid back then, so a refund of the other brings nothing back.
    fileprivate func stands(within timeline: [TransactionFact]) -> Bool {
        revocation == nil && !isUpgraded && !isReplaced(within: timeline)
    }

    /// Whether another purchase took its place.
    fileprivate func isReplaced(within timeline: [TransactionFact]) -> Bool {
        timeline.contains { isReplaced(by: $0) }
    }

    /// When it ended, or was taken back before that; what was taken back before it began was over at its beginning.
    fileprivate var overAt: Timestamp {
        guard let revocation else { return end }
        return min(end, max(revocation.at, purchasedAt))
    }
}

/// The part of a subscription's state that time moves.
private struct Phase {
    var status: SubscriptionStatus
    var givesAccess: Bool
    var periodEndsAt: Timestamp
    var endReason: SubscriptionState.EndReason?
    var nextChangeAt: Timestamp?

    private init(
        _ status: SubscriptionStatus,
        access: Bool,
        periodEndsAt: Timestamp,
        endReason: SubscriptionState.EndReason? = nil,
        nextChangeAt: Timestamp? = nil
    ) {
        self.status = status
        givesAccess = access
        self.periodEndsAt = periodEndsAt
        self.endReason = endReason
        self.nextChangeAt = nextChangeAt
    }

    init(ledger: PurchaseLedger, current: TransactionFact, now: Timestamp, policy: AccessPolicy) {
        let end = current.end
        if current.revocation == nil, end > now {
            self.init(.active, access: true, periodEndsAt: end, nextChangeAt: end)
        } else if let newer = ledger.assertedPeriod(after: end) {
            self = Phase.of(newer, renewal: ledger.renewal, now: now, policy: policy)
        } else if let revocation = current.revocation {
            self = Phase.of(current, revoked: revocation, ledger: ledger)
        } else {
            let period = Period(start: current.purchasedAt, end: end)
            self = Phase.of(period, renewal: ledger.renewal, now: now, policy: policy)
        }
    }

    /// What a period is that was taken back.
    private static func of(_ current: TransactionFact, revoked revocation: Revocation, ledger: PurchaseLedger) -> Phase
    {
        guard ledger.hadEnded(before: revocation, of: current) else {
            let reason: SubscriptionState.EndReason = revocation.kind == .sharingEnded ? .sharingEnded : .refunded
            return Phase(.revoked, access: false, periodEndsAt: current.end, endReason: reason)
        }
        let renewal = ledger.renewal.flatMap { $0.speaks(of: current.end) ? $0 : nil }
        if renewal?.isInBillingRetry == true { return Phase(.inBillingRetry, access: false, periodEndsAt: current.end) }
        return Phase(.expired, access: false, periodEndsAt: current.end, endReason: .init(renewal))
    }

    /// What a period that stands is, and what follows it.
    private static func of(_ period: Period, renewal: RenewalFact?, now: Timestamp, policy: AccessPolicy) -> Phase {
        let end = period.end
        if end > now { return Phase(.active, access: true, periodEndsAt: end, nextChangeAt: end) }
        guard let renewal else { return Phase(.expired, access: false, periodEndsAt: end, endReason: .unknown) }
        // A record of an earlier period says what the customer wants, but not what became of this one.
        let told = renewal.speaks(of: end) ? renewal : nil
        if told?.isInBillingRetry == true {
            if let grace = renewal.graceExpiresAt, grace > now {
                return Phase(.inGracePeriod, access: true, periodEndsAt: end, nextChangeAt: grace)
            }
            return Phase(.inBillingRetry, access: false, periodEndsAt: end)
        }
        let leewayEnd = end.adding(milliseconds: min(policy.renewalLeewayMilliseconds, period.milliseconds))
        let isDue = renewal.autoRenew && renewal.expirationReason == nil && !renewal.isInBillingRetry
        if isDue, leewayEnd > now {
            return Phase(.active, access: true, periodEndsAt: end, nextChangeAt: leewayEnd)
        }
        return Phase(.expired, access: false, periodEndsAt: end, endReason: .init(told))
    }
}

/// A period by its ends.
private struct Period {
    let start: Timestamp
    let end: Timestamp

    /// How long it lasts; never negative.
    var milliseconds: Int64 {
        let (length, overflow) = end.milliseconds.subtractingReportingOverflow(start.milliseconds)
        return overflow ? .max : max(0, length)
    }
}

extension PurchaseLedger {
    /// A newer period that the store asserts but whose transaction has not arrived; its end may be over.
    ///
    /// Believed only when the store said after everything that is known of the transactions was signed that it is paid for,
    /// or that it tries to charge for the next.
    fileprivate func assertedPeriod(after end: Timestamp) -> Period? {
        guard let status, let renewal, let renewsAt = renewal.renewsAt, renewsAt > end else { return nil }
        let newestTransaction = timeline.lazy.map(\.signedAt).max() ?? status.signedAt
        guard status.signedAt >= newestTransaction else { return nil }
        let isBelieved =
            switch status.status {
            case .active: true
            case .inGracePeriod, .inBillingRetry: renewsAt <= status.signedAt
            case .expired, .revoked: false
            }
        return isBelieved ? Period(start: end, end: renewsAt) : nil
    }

    /// Whether the subscription was over before its newest period was taken back: then it stays expired.
    ///
    /// The store's own word counts where it was signed with the revocation or later; else the renewal record tells.
    fileprivate func hadEnded(before revocation: Revocation, of transaction: TransactionFact) -> Bool {
        if let status, status.signedAt >= transaction.signedAt { return status.status == .expired }
        guard revocation.at >= transaction.end, let renewal else { return false }
        return renewal.expirationReason != nil && !renewal.isInBillingRetry
    }
}

extension RenewalFact {
    /// Whether it speaks of a period that ends at an instant, or of a later one.
    fileprivate func speaks(of end: Timestamp) -> Bool { renewsAt ?? end >= end }
}

extension SubscriptionState.EndReason {
    /// Why a period was not followed by another, by the record that speaks of it.
    fileprivate init(_ renewal: RenewalFact?) {
        guard let renewal else {
            self = .unknown
            return
        }
        self = renewal.expirationReason.map(Self.init) ?? (renewal.autoRenew ? .unknown : .cancelled)
    }

    fileprivate init(_ reason: RenewalFact.ExpirationReason) {
        switch reason {
        case .cancelled: self = .cancelled
        case .billingError: self = .billingError
        case .priceIncreaseNotAccepted: self = .priceIncreaseNotAccepted
        case .productUnavailable: self = .productUnavailable
        case .other: self = .unknown
        }
    }
}

extension SubscriptionState.PeriodType {
    /// What a period costs, by the offer on its transaction.
    fileprivate init(_ offer: Offer?) {
        switch offer?.kind {
        case .introductory: self = offer?.payment == .freeTrial ? .trial : .introductory
        case .promotional: self = .promotional
        case .offerCode: self = .offerCode
        case .winBack: self = .winBack
        case .other, nil: self = .normal
        }
    }
}
