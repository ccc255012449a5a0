import AppStoreModel

extension LocalAppStore {
    /// The duration of a period with Apple's name on the store's clock.
    func length(of name: String) -> CalendarPeriod {
        let period = CalendarPeriod(iso8601: name) ?? CalendarPeriod(months: 1)
        return pace?.shortened(period) ?? period
    }

    /// The length of the next period of an Advanced Commerce subscription; `nil` for others.
    func billingPeriod(of index: LedgerIndex<Subscription>) -> CalendarPeriod? {
        ledger.advancedCommerce.subscriptions[index].map { length(of: $0.duePeriod) }
    }

    /// Computes a period of an Advanced Commerce subscription.
    func advancedCommercePeriod(
        _ terms: AdvancedCommerceTerms,
        of product: CatalogProduct,
        start: Int64,
        cycle: Subscription.BillingCycle,
        reason: TransactionReason
    ) -> (PeriodSale, NextPeriod) {
        let next = NextPeriod(start: start, price: terms.duePrice, cycle: cycle, offer: nil)
        let sale = PeriodSale(
            product: product,
            start: start,
            end: next.end,
            price: next.price,
            offer: nil,
            reason: reason
        )
        return (sale, next)
    }

    /// Records the items of the next transaction, and counts the period of every offer.
    mutating func noteAdvancedCommerceSale(to index: LedgerIndex<Subscription>) {
        guard var terms = ledger.advancedCommerce.subscriptions[index] else { return }
        ledger.advancedCommerce.purchases[ledger.nextTransaction] = terms.sold()
        terms.passPeriod()
        ledger.advancedCommerce.subscriptions[index] = terms
    }

    /// Sells the next period of an Advanced Commerce subscription, at the increased price if it was announced.
    mutating func renewAdvancedCommerce(
        _ index: LedgerIndex<Subscription>,
        product: CatalogProduct,
        start: Int64,
        isRecovery: Bool
    ) -> LedgerIndex<Transaction> {
        applyAcceptedIncrease(to: index, from: start)
        guard let terms = ledger.advancedCommerce.subscriptions[index] else { return ledger[index].latest }
        let length = length(of: terms.duePeriod)
        let cycle =
            isRecovery
            ? Subscription.BillingCycle(anchor: start, period: length)
            : continuedCycle(of: ledger[index], period: length, from: start)
        let (sale, next) = advancedCommercePeriod(terms, of: product, start: start, cycle: cycle, reason: .renewal)
        noteAdvancedCommerceSale(to: index)
        ledger[index].cycle = next.cycle
        let transaction = sell(sale, to: index)
        // A customer who was not notified in time renews once more at the old price.
        if let increase = ledger.prices.overrides[index]?.increase, increase.effectiveDate <= start {
            scheduleAdvancedCommerceIncrease(of: index, isNew: false)
        }
        return transaction
    }

    /// Removes, at a renewal, the items whose increase the customer did not agree to; the others continue.
    ///
    /// - Returns: Whether anything is left to renew.
    mutating func dropRefusedItems(of index: LedgerIndex<Subscription>) -> Bool {
        let renewal = ledger[ledger[index].latest].expiresDate ?? now
        guard let increase = ledger.prices.overrides[index]?.increase, increase.effectiveDate <= renewal,
            increase.stage == .asked || increase.stage == .declined,
            var terms = ledger.advancedCommerce.subscriptions[index]
        else { return true }
        terms.removeRefusedItems()
        guard !terms.items.isEmpty else { return false }
        terms.consistencyToken = identifiers.nextUUID()
        ledger.advancedCommerce.subscriptions[index] = terms
        ledger.prices.overrides[index] = nil
        return true
    }

    /// Applies an agreed increase to the prices of its items.
    private mutating func applyAcceptedIncrease(to index: LedgerIndex<Subscription>, from start: Int64) {
        guard let increase = ledger.prices.overrides[index]?.increase, increase.stage == .accepted,
            increase.effectiveDate <= start, var terms = ledger.advancedCommerce.subscriptions[index]
        else { return }
        for position in terms.items.indices {
            terms.items[position].price = terms.items[position].increasedPrice ?? terms.items[position].price
            terms.items[position].increasedPrice = nil
            terms.items[position].dependentSKUs = nil
        }
        ledger.advancedCommerce.subscriptions[index] = terms
        ledger.prices.overrides[index] = nil
    }

    /// Records the request that changed a subscription last, so that outdated requests can be recognized.
    mutating func noteAdvancedCommerceChange(
        of index: LedgerIndex<Subscription>,
        by caller: AdvancedCommerceCaller
    ) {
        ledger.advancedCommerce.subscriptions[index]?.consistencyToken = identifiers.nextUUID()
        ledger.advancedCommerce.subscriptions[index]?.requestReferenceId = caller.requestReferenceId
        ledger.advancedCommerce.note(caller.requestReferenceId)
        ledger[index].signatures.contentChanged()
        guard let token = caller.appAccountToken else { return }
        ledger[index].appAccountToken = token
    }

    /// Adds the items of an Advanced Commerce transaction.
    func describeAdvancedCommerce(
        of index: LedgerIndex<Transaction>,
        in payload: inout JWSTransactionDecodedPayload
    ) {
        payload.advancedCommerceInfo = ledger.advancedCommerce.purchases[index]
        guard let subscription = ledger[index].subscription,
            let origin = ledger.advancedCommerce.origins[subscription]
        else { return }
        payload.previousOriginalTransactionId = ledger[origin].originalTransactionId
    }

    /// Adds the future items and prices of an Advanced Commerce subscription.
    func describeAdvancedCommerce(
        of index: LedgerIndex<Subscription>,
        in payload: inout JWSRenewalInfoDecodedPayload
    ) {
        guard let terms = ledger.advancedCommerce.subscriptions[index] else { return }
        payload.advancedCommerceInfo = terms.renewalInfo(increase: increaseStatus(of: index))
        if payload.renewalPrice != nil { payload.renewalPrice = advancedCommerceRenewalPrice(of: index) }
    }

    /// The price of the next period, increased after the announcement; `nil` for other subscriptions.
    func advancedCommerceRenewalPrice(of index: LedgerIndex<Subscription>) -> Int64? {
        guard let terms = ledger.advancedCommerce.subscriptions[index] else { return nil }
        let renewal = ledger[ledger[index].latest].expiresDate ?? now
        guard let increase = ledger.prices.overrides[index]?.increase, increase.stage != .unannounced,
            increase.effectiveDate <= renewal
        else { return terms.duePrice }
        return terms.items.reduce(0) { sum, item in
            sum + (item.dueOffer == nil ? item.increasedPrice ?? item.price : item.duePrice)
        }
    }

    private func increaseStatus(of index: LedgerIndex<Subscription>) -> AdvancedCommercePriceIncreaseStatus? {
        switch ledger.prices.overrides[index]?.increase?.stage {
        case .unannounced: .scheduled
        case .asked, .declined: .pending
        case .accepted: .accepted
        case nil: nil
        }
    }
}
