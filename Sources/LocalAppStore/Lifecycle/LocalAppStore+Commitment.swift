import AppStoreModel

extension LocalAppStore {
    /// The length of a month of a commitment; a year has twelve.
    var committedMonth: CalendarPeriod {
        let month = CalendarPeriod(months: 1)
        return pace?.shortened(month) ?? month
    }

    /// Sells the first month of a yearly product with monthly payments; no offer applies.
    mutating func commit(
        _ account: LedgerIndex<Account>,
        to product: CatalogProduct,
        terms: SubscriptionTerms,
        token: String?
    ) -> LedgerIndex<Transaction> {
        let commitment = Commitment(
            start: saleDate,
            yearlyPrice: salePrice(of: product, to: account),
            monthLength: committedMonth
        )
        let first = NextPeriod(
            start: saleDate,
            price: commitment.monthlyPrice,
            cycle: Subscription.BillingCycle(anchor: saleDate, period: committedMonth),
            offer: nil
        )
        let sale = PeriodSale(
            product: product,
            start: saleDate,
            end: first.end,
            price: first.price,
            offer: nil,
            reason: .purchase,
            commitment: commitment
        )
        if let held = ledger.subscription(of: account, inGroup: terms.groupId) {
            return resubscribe(held, sale: sale, first: first, token: token)
        }
        return begin(account, groupId: terms.groupId, sale: sale, first: first, token: token)
    }

    /// Refuses the monthly plan if it is not available.
    ///
    /// - Throws: `billing_plan_unknown`, `billing_plan_unavailable`, `offer_not_eligible`, `already_subscribed`.
    func checkBillingPlan(
        _ plan: BillingPlanType,
        for request: PurchaseRequest,
        of product: CatalogProduct,
        account: LedgerIndex<Account>
    ) throws(StoreError) {
        guard BillingPlanType.documented.contains(plan) else {
            let plans = BillingPlanType.documented.map(\.rawValue).joined(separator: ", ")
            let message = "\"\(plan.rawValue)\" is no billing plan; use one of \(plans)."
            throw StoreError(.billingPlanUnknown, kind: .invalid, message: message, path: "billingPlan")
        }
        guard plan == .monthly else { return }
        let country = ledger[account].storefront.country
        guard let terms = product.terms, canBePaidByTheMonth(terms, in: country) else {
            let message =
                "Only yearly subscriptions are paid by the month, and not in \(country == "SGP" ? "SGP" : "USA")."
            throw StoreError(.billingPlanUnavailable, kind: .unprocessable, message: message, path: "billingPlan")
        }
        guard request.offer == nil else {
            let message = "No offer applies to a year that is paid by the month; leave the offer out."
            throw StoreError(.offerNotEligible, kind: .unprocessable, message: message, path: "offer")
        }
        guard let held = ledger.subscription(of: account, inGroup: terms.groupId), ledger[held].isLive else { return }
        let message = "The account is subscribed in this group already; a commitment begins with a new subscription."
        throw StoreError(.alreadySubscribed, kind: .conflict, message: message, path: "billingPlan")
    }

    /// Whether a subscription supports yearly commitments with monthly payments.
    func canBePaidByTheMonth(_ terms: SubscriptionTerms, in country: String) -> Bool {
        // In the accelerated sandbox a year is shorter, but keeps its name.
        CalendarPeriod(iso8601: terms.period.iso8601)?.months == Commitment.months
            && !Commitment.excludedStorefronts.contains(country)
    }

    /// Charges the next month of a commitment, starts the next year, or handles the failure.
    mutating func endMonth(of index: LedgerIndex<Subscription>, _ commitment: Commitment) {
        let subscription = ledger[index]
        guard subscription.isAutoRenewOn else {
            return expire(index, intent: .customerCancelled, subtype: .voluntary)
        }
        if commitment.isInLastMonth, subscription.renewalProductId != subscription.productId {
            ledger.commitments[index] = nil
            return endPeriod(of: index)
        }
        guard let product = catalog.products[subscription.productId], product.terms != nil else {
            return expire(index, intent: .productUnavailable, subtype: .productNotForSale)
        }
        guard !commitment.isInLastMonth || !lacksPriceConsent(subscription) else {
            return expire(index, intent: .priceIncreaseNotConsented, subtype: .priceIncrease)
        }
        guard ledger[subscription.account].payment == .ok else {
            ledger[index].state = .billingRetry(graceEnded: nil)
            note(.chargeFailed(hasGrace: false), of: index)
            setRetryTimer(of: index)
            return announce(.didFailToRenew, transaction: subscription.latest)
        }
        let start = ledger[subscription.latest].expiresDate ?? now
        let cycle =
            commitment.isInLastMonth
            ? freshCycle(from: start) : continuedCycle(of: subscription, period: committedMonth, from: start)
        let transaction = sellMonth(of: index, product: product, start: start, cycle: cycle)
        announce(.didRenew, transaction: transaction)
        countSandboxRenewal(of: index)
    }

    /// Charges a month in billing retry; the day of recovery becomes the billing date, and the year ends later.
    mutating func recoverMonth(of index: LedgerIndex<Subscription>) {
        guard let product = catalog.products[ledger[index].productId], product.terms != nil else {
            return expire(index, intent: .productUnavailable, subtype: .productNotForSale)
        }
        let transaction = sellMonth(of: index, product: product, start: saleDate, cycle: freshCycle(from: saleDate))
        announce(.didRenew, .billingRecovery, transaction: transaction)
    }

    private func freshCycle(from start: Int64) -> Subscription.BillingCycle {
        Subscription.BillingCycle(anchor: start, period: committedMonth)
    }

    private mutating func sellMonth(
        of index: LedgerIndex<Subscription>,
        product: CatalogProduct,
        start: Int64,
        cycle: Subscription.BillingCycle
    ) -> LedgerIndex<Transaction> {
        guard let last = ledger.commitments[index] else { return ledger[index].latest }
        let next: Commitment
        if last.isInLastMonth {
            let price = standardPrice(of: product, for: ledger[index])
            next = Commitment(start: start, yearlyPrice: price, monthLength: committedMonth)
        } else {
            let left = Commitment.months - last.month
            next = Commitment(after: last, end: committedMonth.added(to: cycle.anchor, times: cycle.count + left))
        }
        let end = cycle.nextEnd
        ledger[index].cycle = cycle
        ledger[index].cycle.count += 1
        if next.isInLastMonth { ledger[index].isAutoRenewOn = next.isRenewalOn }
        let sale = PeriodSale(
            product: product,
            start: start,
            end: end,
            price: next.monthlyPrice,
            offer: nil,
            reason: .renewal,
            commitment: next
        )
        return sell(sale, to: index)
    }

    /// Turns the renewal of a commitment on or off; its months continue until the last one ends.
    mutating func setCommitmentRenewal(
        of index: LedgerIndex<Subscription>,
        _ commitment: Commitment,
        enabled: Bool
    ) {
        // A reversed refund leaves the renewal of the months turned off.
        let endsWithMonth = !ledger[index].isAutoRenewOn && !commitment.isInLastMonth
        guard commitment.isRenewalOn != enabled || (enabled && endsWithMonth) else { return }
        ledger.commitments[index]?.isRenewalOn = enabled
        note(enabled ? .renewalTurnedOn : .renewalTurnedOff, of: index)
        if enabled || commitment.isInLastMonth { ledger[index].isAutoRenewOn = enabled }
        announce(
            .didChangeRenewalStatus,
            enabled ? .autoRenewEnabled : .autoRenewDisabled,
            transaction: ledger[index].latest
        )
    }

    /// The running commitment of a subscription.
    func commitment(of subscription: Subscription) -> Commitment? {
        guard !ledger.commitments.isEmpty, subscription.isLive,
            let index = ledger[subscription.original].subscription
        else { return nil }
        return ledger.commitments[index]
    }

    /// Adds the month of a commitment to a transaction payload.
    func describeCommitment(
        of index: LedgerIndex<Transaction>,
        in payload: inout JWSTransactionDecodedPayload
    ) {
        guard let commitment = ledger.committedMonths[index] else { return }
        payload.billingPlanType = .monthly
        payload.commitmentInfo = TransactionCommitmentInfo(
            billingPeriodNumber: Int32(commitment.month),
            totalBillingPeriods: Int32(Commitment.months),
            commitmentExpiresDate: commitment.end,
            commitmentPrice: commitment.price
        )
    }

    /// Adds the next month and the next year to renewal information.
    func describeCommitment(
        of subscription: Subscription,
        in payload: inout JWSRenewalInfoDecodedPayload
    ) {
        guard let commitment = commitment(of: subscription) else { return }
        let isSamePlan = subscription.renewalProductId == subscription.productId
        let following: BillingPlanType = isSamePlan ? .monthly : .billedUpfront
        payload.renewalBillingPlanType = commitment.isInLastMonth ? following : .monthly
        if !commitment.isInLastMonth { payload.autoRenewProductId = subscription.productId }
        var info = RenewalCommitmentInfo(
            commitmentAutoRenewProductId: subscription.renewalProductId,
            commitmentAutoRenewStatus: commitment.isRenewalOn ? .on : .off,
            commitmentRenewalBillingPlanType: following,
            commitmentRenewalDate: commitment.end
        )
        if commitment.isRenewalOn, let product = catalog.products[subscription.renewalProductId] {
            let year = standardPrice(of: product, for: subscription)
            let twelveMonths = Commitment.monthlyPrice(ofYear: year) * Int64(Commitment.months)
            info.commitmentRenewalPrice = isSamePlan ? twelveMonths : year
        }
        payload.commitmentInfo = info
    }
}
