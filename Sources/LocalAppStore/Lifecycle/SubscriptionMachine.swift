import AppStoreModel

/// The lifecycle of a subscription as a pure state machine: one function for each input returns the steps that follow.
///
/// It holds values and changes nothing. ``LocalAppStore/machine(of:)`` makes one for a subscription, and
/// ``LocalAppStore/apply(_:to:)`` carries the steps out.
struct SubscriptionMachine: Sendable {
    /// What the lifecycle needs to know besides the subscription and its plan.
    struct Facts: Hashable, Sendable {
        /// Milliseconds since 1970.
        let now: Int64
        /// The newest period.
        let latest: Transaction
        /// The running period, if the newest one was charged before its start.
        var running: Transaction?
        /// Whether the account's card can be charged.
        let isPaymentValid: Bool
        /// The earliest time of the next renewal by the present settings, milliseconds since 1970.
        var earliestRenewal = Int64.min
        /// The attempts of which one succeeds although the card is declined; `nil` if none does.
        var attempts: PaymentAttempts?
        /// The number of renewals in the accelerated sandbox; `nil` elsewhere.
        var sandboxRenewals: Int?

        /// The end of the newest period, milliseconds since 1970.
        var periodEnd: Int64 { latest.expiresDate ?? now }

        /// The running period, and after it the next one if it was charged before its start.
        var current: [Transaction] { (running.map { [$0] } ?? []) + [latest] }

        /// The date of a sale now, in whole seconds.
        var saleDate: Int64 { Milliseconds.wholeSecond(of: now) }
    }

    let subscription: Subscription
    let facts: Facts
    let plan: any RenewalPlan

    /// The time for which the subscription waited has come.
    func timerElapsed() -> [LifecycleAction] {
        switch subscription.state {
        case .active:
            let due = renewsEarly ? facts.earliestRenewal : facts.periodEnd
            return facts.now < due ? plan.beginning + [.wait(until: due)] : endPeriod()
        case .gracePeriod(let end):
            if let attempts = facts.attempts, facts.now < end { return attemptPayment(attempts) }
            return [
                retry(.billingRetry(graceEnded: end), until: retryEnd), .record(.graceEnded),
                .announce(.gracePeriodExpired, nil),
            ]
        case .billingRetry:
            if let attempts = facts.attempts, facts.now < retryEnd { return attemptPayment(attempts) }
            return expire(.billingError, .billingRetry)
        case .expired, .revoked: return []
        }
    }

    /// Another attempt to charge the declined card succeeds now, or none.
    func attemptsChanged() -> [LifecycleAction] {
        switch subscription.state {
        case .gracePeriod(let end): [.wait(until: nextAttempt(before: end))]
        case .billingRetry: [.wait(until: nextAttempt(before: retryEnd))]
        case .active, .expired, .revoked: []
        }
    }

    /// The customer's card works now, so that a charge that is being retried succeeds.
    ///
    /// Within the grace period the billing date stays unchanged. After it, the day of recovery becomes the billing
    /// date.
    func paymentFixed() -> [LifecycleAction] {
        guard subscription.isInBillingRetry else { return [] }
        guard let productId = plan.productId else { return expire(.productUnavailable, .productNotForSale) }
        let inTime = plan.sell(productId, from: facts.periodEnd, in: plan.continuedCycle(from: facts.periodEnd))
        let recovery: [LifecycleAction] = [.announce(.didRenew, .billingRecovery)] + countSandboxRenewal()
        if case .gracePeriod = subscription.state, let sale = inTime.sale, sale.end > facts.now {
            return inTime + recovery
        }
        let start = facts.saleDate
        return plan.sell(productId, from: start, in: plan.newCycle(from: start)) + recovery
    }

    /// The customer, or Apple's support, turns the renewal on or off.
    func setRenewal(_ isOn: Bool) -> [LifecycleAction] { plan.setRenewal(isOn, of: subscription) }

    /// Apple extends the period by some milliseconds.
    func extend(by length: Int64) -> [LifecycleAction] {
        guard subscription.state == .active else { return [] }
        return [
            .moveEnd(to: facts.periodEnd + length), .record(.extended(milliseconds: length)),
            .announce(.renewalExtended, nil), .send(.renewalExtended),
        ]
    }

    /// Apple refunded the newest period. If it was charged before its start, the running period goes on to its end.
    func periodRefunded() -> [LifecycleAction] {
        guard subscription.isLive else { return [] }
        guard let running = facts.running else { return Self.end(as: .revoked) }
        let cancellation: [LifecycleAction] =
            subscription.isAutoRenewOn ? [.setRenewal(false), .record(.renewalTurnedOff)] : []
        return [.returnTo(running.index)] + cancellation + [.wait(until: running.expiresDate ?? facts.now)]
    }

    /// The refund of the current period was reversed; the renewal stays off.
    func refundReversed() -> [LifecycleAction] {
        guard subscription.state == .revoked else { return [] }
        guard facts.periodEnd > facts.now else { return [.restore(.expired(.customerCancelled))] }
        return [.restore(.active), .record(.resumed)]
    }

    /// The refund of another period than the newest one was reversed: the subscription continues with it if it ends
    /// later than the newest one of a running subscription, or has not ended.
    func refundReversed(of period: Transaction) -> [LifecycleAction] {
        let paidUntil = subscription.isLive ? max(facts.periodEnd, facts.now) : facts.now
        guard let end = period.expiresDate, end > paidUntil else { return [] }
        return [
            .restorePlan(of: period.index), .returnTo(period.index), .restore(.active),
            .record(.continued(with: period.index)),
        ] + (subscription.isLive ? [] : [.record(.resumed)])
    }

    /// The customer changes the plan, and has paid if that is due now.
    ///
    /// - Parameters:
    ///   - kind: The kind of change.
    ///   - productId: The new product.
    ///   - terms: Its terms.
    ///   - price: Its price now without an offer, thousandths of the currency unit.
    ///   - grant: The offer that starts with the new plan and replaces any other.
    func changePlan(
        _ kind: PlanChange.Kind,
        to productId: String,
        terms: SubscriptionTerms,
        price: Int64,
        grant: OfferGrant
    ) -> [LifecycleAction] {
        let start = startPlan(productId, terms: terms, price: price, offer: grant.offer)
        switch kind {
        case .upgrade, .crossgrade:
            return start + [.announce(grant.offer == nil ? .didChangeRenewalPref : .offerRedeemed, .upgrade)]
        case .recovery: return start + [.announce(.subscribed, .resubscribe)]
        case .downgrade, .crossgradeAtRenewal, .undo:
            let offer = grant.offer.map {
                PendingOffer(offer: $0, productId: productId, waitsForRunning: grant.isStackable)
            }
            let actions: [LifecycleAction] = [
                .choose(productId: productId), .setOffer(offer),
                .announce(offer == nil ? .didChangeRenewalPref : .offerRedeemed, kind == .undo ? nil : .downgrade),
            ]
            return actions + plan.setRenewal(true, of: subscription)
        }
    }

    /// The steps of an end without an announcement. Members lose an ended subscription too; after a refund they lose
    /// their seats.
    static func end(as state: Subscription.State) -> [LifecycleAction] {
        [.record(.ended(state.finalIntent)), .end(state), .releaseSeats(beyond: 0, withMembers: state == .revoked)]
    }
}

// MARK: - Steps

extension SubscriptionMachine {
    /// Why the subscription ends with its period, whatever the card; `nil` if it renews.
    private var obstacle: (intent: ExpirationIntent, subtype: NotificationSubtype)? {
        if !subscription.isAutoRenewOn { return (.customerCancelled, .voluntary) }
        if plan.productId == nil { return (.productUnavailable, .productNotForSale) }
        return plan.lacksConsent ? (.priceIncreaseNotConsented, .priceIncrease) : nil
    }

    /// Whether a renewal before the end of the period succeeds.
    private var renewsEarly: Bool { plan.canRenewEarly && facts.isPaymentValid && obstacle == nil }

    /// Renews the subscription at the end of its period, or handles the failure.
    private func endPeriod() -> [LifecycleAction] {
        if let obstacle { return expire(obstacle.intent, obstacle.subtype) }
        guard let productId = plan.productId, facts.isPaymentValid else { return plan.preparation + failRenewal() }
        let start = facts.periodEnd
        return plan.preparation + plan.sell(productId, from: start, in: plan.continuedCycle(from: start))
            + [.announce(.didRenew, nil)] + countSandboxRenewal()
    }

    /// Starts billing retry, with a grace period if there is one.
    private func failRenewal() -> [LifecycleAction] {
        let failure: [LifecycleAction]
        if let grace = plan.retry.grace {
            let end = facts.periodEnd + grace
            failure = [
                retry(.gracePeriod(ends: end), until: end), .record(.chargeFailed(hasGrace: true)),
                .announce(.didFailToRenew, .gracePeriod),
            ]
        } else {
            failure = [
                retry(.billingRetry(graceEnded: nil), until: retryEnd),
                .record(.chargeFailed(hasGrace: false)), .announce(.didFailToRenew, nil),
            ]
        }
        return failure + (plan.retry.mail.map { [.send($0)] } ?? [])
    }

    /// When the retries end, milliseconds since 1970.
    private var retryEnd: Int64 { facts.periodEnd + plan.retry.length }

    /// Retries the charge until a time, or until an earlier attempt that succeeds.
    private func retry(_ state: Subscription.State, until end: Int64) -> LifecycleAction {
        .retry(state, until: nextAttempt(before: end))
    }

    private func nextAttempt(before end: Int64) -> Int64 {
        min(end, facts.attempts?.next(after: facts.now, afterPeriodTo: facts.periodEnd) ?? end)
    }

    /// Charges the declined card if this attempt succeeds. Another renewal rate of the sandbox moves the attempts.
    private func attemptPayment(_ attempts: PaymentAttempts) -> [LifecycleAction] {
        let haveSucceeded = attempts.haveSucceeded(at: facts.now, afterPeriodTo: facts.periodEnd)
        return haveSucceeded ? paymentFixed() : attemptsChanged()
    }

    private func expire(_ intent: ExpirationIntent, _ subtype: NotificationSubtype) -> [LifecycleAction] {
        Self.end(as: .expired(intent)) + [.announce(.expired, subtype)]
    }

    /// Counts a renewal in the accelerated sandbox, and turns the subscription off after the last one.
    private func countSandboxRenewal() -> [LifecycleAction] {
        guard let renewals = facts.sandboxRenewals else { return [] }
        guard renewals + 1 >= SandboxPace.renewalsMax else { return [.countSandboxRenewals(renewals + 1)] }
        return [
            .countSandboxRenewals(nil), .setRenewal(false), .setCommitmentRenewal(false), .record(.renewalTurnedOff),
            .announce(.didChangeRenewalStatus, .autoRenewDisabled),
        ]
    }

    /// Starts a period of a product now, and refunds the rest of the running one, and a next one charged already.
    private func startPlan(
        _ productId: String,
        terms: SubscriptionTerms,
        price: Int64,
        offer: GrantedOffer?
    ) -> [LifecycleAction] {
        let start = facts.saleDate
        var sale = PeriodSale(
            of: productId,
            from: start,
            price: price,
            cycle: Subscription.BillingCycle(anchor: start, period: terms.period),
            offer: offer.map(UpcomingOffer.begins),
            reason: .purchase
        )
        sale.isChoice = true
        guard subscription.state == .active else { return [.setOffer(nil), .sell(sale)] }
        let replaced: [LifecycleAction] = facts.current.map { old in
            let end = old.expiresDate ?? facts.now
            let refund = Proration.unused(ofPrice: old.price, from: old.purchaseDate, to: end, at: facts.now)
            return .replace(old.index, refund: refund)
        }
        return [.setOffer(nil), .sell(sale)] + replaced
    }
}
