import AppStoreModel

extension LocalAppStore {
    /// Renews a subscription at the end of its period, or handles the failure.
    mutating func endPeriod(of index: LedgerIndex<Subscription>) {
        if let commitment = ledger.commitments[index] { return endMonth(of: index, commitment) }
        let subscription = ledger[index]
        guard subscription.isAutoRenewOn else {
            return expire(index, intent: .customerCancelled, subtype: .voluntary)
        }
        guard let product = catalog.products[subscription.renewalProductId], let terms = product.terms else {
            return expire(index, intent: .productUnavailable, subtype: .productNotForSale)
        }
        let isAdvancedCommerce = ledger.advancedCommerce.subscriptions[index] != nil
        guard isAdvancedCommerce ? dropRefusedItems(of: index) : !lacksPriceConsent(subscription) else {
            return expire(index, intent: .priceIncreaseNotConsented, subtype: .priceIncrease)
        }
        guard ledger[subscription.account].payment == .ok else {
            return failRenewal(of: index, period: billingPeriod(of: index) ?? terms.period)
        }
        let start = ledger[subscription.latest].expiresDate ?? now
        let transaction: LedgerIndex<Transaction>
        if isAdvancedCommerce {
            transaction = renewAdvancedCommerce(index, product: product, start: start, isRecovery: false)
        } else {
            let cycle = continuedCycle(of: subscription, period: terms.period, from: start)
            transaction = renew(index, product: product, start: start, cycle: cycle)
        }
        announce(.didRenew, transaction: transaction)
        countSandboxRenewal(of: index)
    }

    /// Sells the next period of a subscription at its current price.
    mutating func renew(
        _ index: LedgerIndex<Subscription>,
        product: CatalogProduct,
        start: Int64,
        cycle: Subscription.BillingCycle
    ) -> LedgerIndex<Transaction> {
        // If an argument is an expression that reads the store, Swift copies the whole store.
        let subscription = ledger[index]
        let price = renewalPrice(of: product, for: subscription)
        let offer = upcomingOffer(of: index)
        let next = NextPeriod(start: start, price: price, cycle: cycle, offer: offer)
        if case .begins = offer { ledger.setPendingOffer(nil, of: index) }
        ledger[index].cycle = next.cycle
        ledger[index].runningOffer = next.runningOffer
        let seats = renewalQuantity(of: index)
        if ledger.seats.plans[index] != nil { ledger.seats.revokedSeats[ledger.nextTransaction] = 0 }
        let sale = PeriodSale(
            product: product,
            start: start,
            end: next.end,
            price: next.price * Int64(seats),
            offer: next.offer.map(Transaction.AppliedOffer.init),
            reason: .renewal,
            quantity: seats
        )
        let transaction = sell(sale, to: index)
        releaseSeats(of: index, beyond: seats)
        return transaction
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

    /// The current billing cycle; a new one if the product's period has changed.
    func continuedCycle(
        of subscription: Subscription,
        period: CalendarPeriod,
        from start: Int64
    ) -> Subscription.BillingCycle {
        if subscription.cycle.period.hasSameLength(as: period) { return subscription.cycle }
        return Subscription.BillingCycle(anchor: start, period: period)
    }
}
