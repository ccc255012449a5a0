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
        let cycle = Subscription.BillingCycle(anchor: saleDate, period: committedMonth)
        let price = commitment.monthlyPrice
        var sale = PeriodSale(of: product.productId, from: saleDate, price: price, cycle: cycle, reason: .purchase)
        sale.commitment = commitment
        return start(sale, for: account, inGroup: terms.groupId, token: token)
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
            throw StoreError(.billingPlanUnknown, message, path: "billingPlan")
        }
        guard plan == .monthly else { return }
        let country = ledger[account].storefront.country
        guard let terms = product.terms, canBePaidByTheMonth(terms, in: country) else {
            let excluded = Commitment.excludedStorefronts.sorted().joined(separator: " and ")
            let message = "Only yearly subscriptions are paid by the month, and not in \(excluded)."
            throw StoreError(.billingPlanUnavailable, message, path: "billingPlan")
        }
        guard request.offer == nil else {
            let message = "No offer applies to a year that is paid by the month; leave the offer out."
            throw StoreError(.offerNotEligible, message, path: "offer")
        }
        guard let held = ledger.subscription(of: account, inGroup: terms.groupId), ledger[held].isLive else { return }
        let message = "The account is subscribed in this group already; a commitment begins with a new subscription."
        throw StoreError(.alreadySubscribed, message, path: "billingPlan")
    }

    /// Whether a subscription supports yearly commitments with monthly payments.
    func canBePaidByTheMonth(_ terms: SubscriptionTerms, in country: String) -> Bool {
        // In the accelerated sandbox a year is shorter, but keeps its name.
        CalendarPeriod(iso8601: terms.period.iso8601)?.months == Commitment.months
            && !Commitment.excludedStorefronts.contains(country)
    }

    /// The running commitment of a subscription.
    func commitment(of subscription: Subscription) -> Commitment? {
        guard !ledger.commitments.isEmpty, subscription.isLive,
            let index = ledger[subscription.original].subscription
        else { return nil }
        return ledger.commitments[index]
    }

    /// The product of the next period. A change of a commitment waits for its last month.
    func nextProductId(of subscription: Subscription) -> String {
        guard let commitment = commitment(of: subscription), !commitment.isInLastMonth else {
            return subscription.renewalProductId
        }
        return subscription.productId
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
