import AppStoreModel

/// A subscription of Advanced Commerce: the items of the next period at their prices.
struct AdvancedCommerceRenewal: RenewalPlan {
    let productId: String?
    let cycle: Subscription.BillingCycle
    let retry: RetryTerms
    /// The items to renew, without those whose increase the customer refused.
    let terms: AdvancedCommerceTerms
    /// The length of the next period.
    let period: CalendarPeriod
    /// The announced or scheduled price increase; `nil` also if refused items leave.
    let increase: PriceOverride.Increase?
    let preparation: [LifecycleAction]
    /// Whether the customer refused every item.
    let lacksConsent: Bool

    /// The store charges items at the end of a period, so that every increase is known.
    var canRenewEarly: Bool { false }

    func sell(_ productId: String, from start: Int64, in cycle: Subscription.BillingCycle) -> [LifecycleAction] {
        guard let increase, increase.effectiveDate <= start else {
            return [.sell(terms.sale(of: productId, from: start, cycle: cycle, reason: .renewal))]
        }
        guard increase.stage == .accepted else {
            // A customer who was not notified in time renews once more at the old price.
            return [.sell(terms.sale(of: productId, from: start, cycle: cycle, reason: .renewal)), .postponeIncrease]
        }
        let increased = terms.applyingIncreases()
        return [.forgetIncrease, .sell(increased.sale(of: productId, from: start, cycle: cycle, reason: .renewal))]
    }
}

extension AdvancedCommerceTerms {
    /// The sale of the due period.
    func sale(
        of productId: String,
        from start: Int64,
        cycle: Subscription.BillingCycle,
        reason: TransactionReason
    ) -> PeriodSale {
        var sale = PeriodSale(of: productId, from: start, price: duePrice, cycle: cycle, reason: reason)
        sale.items = self
        return sale
    }

    /// The terms with every pending increase in the prices.
    fileprivate func applyingIncreases() -> AdvancedCommerceTerms {
        var terms = self
        for position in items.indices {
            terms.items[position].price = items[position].increasedPrice ?? items[position].price
            terms.items[position].increasedPrice = nil
            terms.items[position].dependentSKUs = nil
        }
        return terms
    }
}
