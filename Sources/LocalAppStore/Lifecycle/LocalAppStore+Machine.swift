import AppStoreModel

extension LocalAppStore {
    /// The state machine of a subscription, with what it needs to know now.
    func machine(of index: LedgerIndex<Subscription>) -> SubscriptionMachine {
        let subscription = ledger[index]
        let account = ledger[subscription.account]
        var facts = SubscriptionMachine.Facts(
            now: now,
            latest: ledger[subscription.latest],
            isPaymentValid: account.payment == .ok
        )
        facts.earliestRenewal = renewalTime(ofPeriodFrom: facts.latest.purchaseDate, to: facts.periodEnd)
        facts.running = runningBeforeNext(of: index).map { ledger[$0] }
        if account.payment == .declined, let number = account.recoversAfter {
            facts.attempts = PaymentAttempts(succeeding: number, pace: pace)
        }
        if pace != nil { facts.sandboxRenewals = ledger.sandboxRenewals[index.offset, default: 0] }
        return SubscriptionMachine(
            subscription: subscription,
            facts: facts,
            plan: renewalPlan(of: subscription, at: index)
        )
    }

    /// The running period, and after it the next one if it was charged before its start.
    func currentPeriods(of index: LedgerIndex<Subscription>) -> [LedgerIndex<Transaction>] {
        (runningBeforeNext(of: index).map { [$0] } ?? []) + [ledger[index].latest]
    }

    /// The running period of a subscription whose newest period was charged before its start; `nil` for any other one.
    func runningBeforeNext(of index: LedgerIndex<Subscription>) -> LedgerIndex<Transaction>? {
        let subscription = ledger[index]
        guard ledger[subscription.latest].purchaseDate > now else { return nil }
        return ledger[subscription.account].transactions.last {
            let period = ledger[$0]
            guard period.subscription == index, !period.isUpgraded else { return false }
            return period.purchaseDate <= now && period.coverageEnd > now
        }
    }

    /// How a subscription renews.
    private func renewalPlan(
        of subscription: Subscription,
        at index: LedgerIndex<Subscription>
    ) -> any RenewalPlan {
        if let commitment = ledger.commitments[index] {
            let plan = renewal(of: subscription, commitment)
            guard commitment.isInLastMonth, subscription.renewalProductId != subscription.productId else { return plan }
            return CommitmentSuccession(commitment: plan, successor: standardRenewal(of: subscription, at: index))
        }
        if let terms = ledger.advancedCommerce.subscriptions[index] { return renewal(of: index, terms) }
        guard let seats = ledger.seats.plans[index] else { return standardRenewal(of: subscription, at: index) }
        return SeatRenewal(
            single: standardRenewal(of: subscription, at: index),
            seats: seats.renewalQuantity,
            assignedSeats: max(seats.members.count, seats.claims.count),
            runningSeats: seatsOfRunningPeriod(of: index)
        )
    }

    private func standardRenewal(
        of subscription: Subscription,
        at index: LedgerIndex<Subscription>
    ) -> StandardRenewal {
        let product = renewableProduct(subscription.renewalProductId)
        let period = product?.terms?.period ?? subscription.cycle.period
        return StandardRenewal(
            productId: product?.productId,
            period: period,
            cycle: subscription.cycle,
            price: product.map { renewalPrice(of: $0, for: subscription) } ?? 0,
            offer: upcomingOffer(of: index),
            lacksConsent: lacksPriceConsent(subscription),
            retry: retryTerms(of: subscription, for: period),
            changesProduct: subscription.renewalProductId != subscription.productId
        )
    }

    private func renewal(of subscription: Subscription, _ commitment: Commitment) -> CommitmentRenewal {
        let product = renewableProduct(subscription.productId)
        return CommitmentRenewal(
            productId: product?.productId,
            period: committedMonth,
            cycle: subscription.cycle,
            commitment: commitment,
            yearlyPrice: product.map { standardPrice(of: $0, for: subscription) } ?? 0,
            lacksConsentToYear: lacksPriceConsent(subscription),
            retry: RetryTerms(grace: nil, length: pace?.committedBillingRetry ?? 90 * Milliseconds.day)
        )
    }

    private func renewal(
        of index: LedgerIndex<Subscription>,
        _ terms: AdvancedCommerceTerms
    ) -> AdvancedCommerceRenewal {
        let subscription = ledger[index]
        let renewal = ledger[subscription.latest].expiresDate ?? now
        let increase = ledger.prices.overrides[index]?.increase
        let isRefused = increase.map { $0.effectiveDate <= renewal && $0.lacksConsent } ?? false
        var remaining = terms
        if isRefused { remaining.removeRefusedItems() }
        let lacksConsent = isRefused && remaining.items.isEmpty
        let period = length(of: remaining.duePeriod)
        return AdvancedCommerceRenewal(
            productId: renewableProduct(subscription.renewalProductId)?.productId,
            cycle: subscription.cycle,
            retry: retryTerms(of: subscription, for: period),
            terms: remaining,
            period: period,
            increase: isRefused ? nil : increase,
            preparation: isRefused && !lacksConsent ? [.setItems(remaining), .forgetIncrease] : [],
            lacksConsent: lacksConsent
        )
    }

    /// A product of the catalogue that renews.
    private func renewableProduct(_ productId: String) -> CatalogProduct? {
        guard let product = catalog.products[productId], product.terms != nil else { return nil }
        return product
    }

    private func retryTerms(of subscription: Subscription, for period: CalendarPeriod) -> RetryTerms {
        let isPaid = ledger[subscription.latest].price > 0
        return RetryTerms(
            grace: gracePeriodLength(for: period, afterPaidPeriod: isPaid),
            length: billingRetryLength,
            mail: .billingProblem
        )
    }

    /// How long a failed renewal is retried, milliseconds from the end of the period.
    var billingRetryLength: Int64 { pace?.billingRetry ?? 60 * Milliseconds.day }

    /// The length of the grace period in milliseconds; `nil` if there is none.
    ///
    /// - Source: App Store Connect, Billing Grace Period: weekly products have at most six days.
    func gracePeriodLength(for period: CalendarPeriod, afterPaidPeriod isPaid: Bool) -> Int64? {
        guard isPaid || settings.gracePeriodScope == .allRenewals else { return nil }
        if let pace { return settings.gracePeriod == .none ? nil : pace.gracePeriod(for: period) }
        let days: Int64
        switch settings.gracePeriod {
        case .none: return nil
        case .threeDays: days = 3
        case .sixteenDays: days = period.isAtMostAWeek ? 6 : 16
        case .twentyEightDays: days = period.isAtMostAWeek ? 6 : 28
        }
        return days * Milliseconds.day
    }

    /// The offer of the next period, if the subscription renews.
    ///
    /// An offer belongs to its product. The rest of a pay-as-you-go offer is lost with a plan change. It is also lost
    /// with another offer that starts, unless that offer waits.
    func upcomingOffer(of index: LedgerIndex<Subscription>) -> UpcomingOffer? {
        let subscription = ledger[index]
        let isSamePlan = subscription.productId == subscription.renewalProductId
        let running = isSamePlan ? subscription.runningOffer : nil
        if let pending = ledger.pendingOffer(of: index), pending.productId == subscription.renewalProductId,
            running == nil || !pending.waitsForRunning
        {
            return .begins(pending.offer)
        }
        return running.map(UpcomingOffer.goesOn)
    }
}
