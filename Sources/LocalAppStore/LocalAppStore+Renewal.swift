import AppStoreModel

extension LocalAppStore {
    /// Renews a subscription whose period ends, or does what follows when that cannot be.
    mutating func endPeriod(of index: LedgerIndex<Subscription>) {
        let subscription = ledger[index]
        guard subscription.isAutoRenewOn else {
            return expire(index, intent: .customerCancelled, subtype: .voluntary)
        }
        guard let product = catalog.products[subscription.renewalProductId], let terms = product.terms else {
            return expire(index, intent: .productUnavailable, subtype: .productNotForSale)
        }
        guard !lacksPriceConsent(subscription) else {
            return expire(index, intent: .priceIncreaseNotConsented, subtype: .priceIncrease)
        }
        guard ledger[subscription.account].payment == .ok else {
            return failRenewal(of: index, period: terms.period)
        }
        let start = ledger[subscription.latest].expiresDate ?? now
        let cycle = continuedCycle(of: subscription, period: terms.period, from: start)
        let transaction = renew(index, product: product, start: start, cycle: cycle)
        announce(.didRenew, transaction: transaction)
    }

    /// Sells the next period of a subscription, at the price that applies to it.
    mutating func renew(
        _ index: LedgerIndex<Subscription>,
        product: CatalogProduct,
        start: Int64,
        cycle: Subscription.BillingCycle
    ) -> LedgerIndex<Transaction> {
        let end = cycle.nextEnd
        // An offer belongs to its product: what is left of it is lost with a change of plan.
        let isSamePlan = ledger[index].productId == product.productId
        if !isSamePlan { ledger[index].runningOffer = nil }
        let running = ledger[index].runningOffer
        ledger[index].cycle = cycle
        ledger[index].cycle.count += 1
        if let running {
            ledger[index].runningOffer =
                running.periodsLeft > 1
                ? Subscription.RunningOffer(offer: running.offer, periodsLeft: running.periodsLeft - 1) : nil
        }
        let sale = PeriodSale(
            product: product,
            start: start,
            end: end,
            price: running?.offer.terms.price ?? renewalPrice(of: product, for: ledger[index]),
            offer: (running?.offer).map(Transaction.AppliedOffer.init),
            reason: .renewal
        )
        return sell(sale, to: index)
    }

    /// The running cycle; a new one where the product's period has changed since.
    func continuedCycle(
        of subscription: Subscription,
        period: CalendarPeriod,
        from start: Int64
    ) -> Subscription.BillingCycle {
        if subscription.cycle.period.hasSameLength(as: period) { return subscription.cycle }
        return Subscription.BillingCycle(anchor: start, period: period)
    }
}
