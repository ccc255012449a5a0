extension PurchaseLedger {
    /// The state at an instant, or nil while no transaction of the purchase is known.
    ///
    /// - Parameters:
    ///   - now: The instant asked about.
    ///   - policy: The developer's choices.
    public func state(at now: Timestamp, policy: AccessPolicy) -> PurchaseState? {
        guard let latest = timeline.last(where: { !$0.isUpgraded }) ?? timeline.last else { return nil }
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
        let standing = timeline.indices.lazy.filter { timeline[$0].stands(within: timeline) }
        let furthest = standing.max { timeline[$0].end < timeline[$1].end }.map { timeline[$0] }
        // A period that still runs counts, whatever became of others; otherwise the newest transaction tells.
        let current = furthest.flatMap { $0.end > now ? $0 : nil } ?? latest
        let phase = Phase(ledger: self, current: current, now: now, policy: policy)
        let ended = phase.status == .expired || phase.status == .revoked
        let renews = renewal?.autoRenew ?? (current.revocation == nil)
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
            nextProductID: renews && !ended ? renewal?.nextProductID ?? current.productID : nil,
            billingIssue: phase.status == .inGracePeriod || phase.status == .inBillingRetry ? .paymentFailed : nil,
            endReason: phase.endReason,
            price: current.price,
            storefront: current.storefront,
            introductoryOfferUsed: timeline.contains { $0.offer?.kind == .introductory },
            nextChangeAt: phase.nextChangeAt
        )
    }
}

extension TransactionFact {
    /// Whether the store has not taken it back, and nothing took its place.
    fileprivate func stands(within timeline: [TransactionFact]) -> Bool {
        revocation == nil && !isUpgraded && !isReplaced(within: timeline)
    }

    /// Whether the customer bought another product of the group while this period ran: an upgrade, whose notification
    /// carries only the new transaction. The unused part was paid back then, so a refund of the other brings nothing back.
    private func isReplaced(within timeline: [TransactionFact]) -> Bool {
        timeline.contains { other in
            !other.isRenewal && other.productID != productID
                && purchasedAt < other.purchasedAt && other.purchasedAt < end
        }
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
        } else if let assertedEnd = ledger.assertedEnd(after: end), assertedEnd > now {
            self.init(.active, access: true, periodEndsAt: assertedEnd, nextChangeAt: assertedEnd)
        } else if let revocation = current.revocation, !ledger.hadEnded(before: revocation, of: current) {
            let reason: SubscriptionState.EndReason = revocation.kind == .sharingEnded ? .sharingEnded : .refunded
            self.init(.revoked, access: false, periodEndsAt: end, endReason: reason)
        } else {
            self = Phase.afterPeriod(current, renewal: ledger.renewal(for: current), now: now, policy: policy)
        }
    }

    /// What follows a period that ran out and stands.
    private static func afterPeriod(
        _ current: TransactionFact,
        renewal: RenewalFact?,
        now: Timestamp,
        policy: AccessPolicy
    ) -> Phase {
        let end = current.end
        guard let renewal else { return Phase(.expired, access: false, periodEndsAt: end, endReason: .unknown) }
        if renewal.isInBillingRetry {
            if let grace = renewal.graceExpiresAt, grace > now {
                return Phase(.inGracePeriod, access: true, periodEndsAt: end, nextChangeAt: grace)
            }
            return Phase(.inBillingRetry, access: false, periodEndsAt: end)
        }
        let (length, overflow) = end.milliseconds.subtractingReportingOverflow(current.purchasedAt.milliseconds)
        let periodMilliseconds = overflow ? policy.renewalLeewayMilliseconds : max(0, length)
        let leewayEnd = end.adding(milliseconds: min(policy.renewalLeewayMilliseconds, periodMilliseconds))
        if renewal.autoRenew, renewal.expirationReason == nil, leewayEnd > now {
            return Phase(.active, access: true, periodEndsAt: end, nextChangeAt: leewayEnd)
        }
        let reason = renewal.expirationReason.map(SubscriptionState.EndReason.init)
        return Phase(
            .expired,
            access: false,
            periodEndsAt: end,
            endReason: reason ?? (renewal.autoRenew ? .unknown : .cancelled)
        )
    }
}

extension PurchaseLedger {
    /// The end of a newer period that the store asserts but whose transaction has not arrived.
    ///
    /// Believed only when the store said "active" after everything that is known of the transactions was signed.
    fileprivate func assertedEnd(after end: Timestamp) -> Timestamp? {
        guard let status, let renewal, let renewsAt = renewal.renewsAt else { return nil }
        let newestTransaction = timeline.lazy.map(\.signedAt).max() ?? status.signedAt
        guard status.status == .active, status.signedAt >= newestTransaction, renewsAt > end else { return nil }
        return renewsAt
    }

    /// Whether the subscription was over before its newest period was taken back: then it stays expired.
    ///
    /// The store's own word counts where it was signed with the revocation or later; else the renewal record tells.
    fileprivate func hadEnded(before revocation: Revocation, of transaction: TransactionFact) -> Bool {
        if let status, status.signedAt >= transaction.signedAt { return status.status == .expired }
        guard revocation.at >= transaction.end, let renewal else { return false }
        return renewal.expirationReason != nil && !renewal.isInBillingRetry
    }

    /// The renewal record, if it speaks of this period or a later one.
    fileprivate func renewal(for transaction: TransactionFact) -> RenewalFact? {
        guard let renewal, renewal.renewsAt ?? transaction.end >= transaction.end else { return nil }
        return renewal
    }
}

extension SubscriptionState.EndReason {
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
