import AppStoreModel

extension LocalAppStore {
    /// The duration of a period with Apple's name on the store's clock.
    func length(of name: String) -> CalendarPeriod {
        let period = CalendarPeriod(iso8601: name) ?? CalendarPeriod(months: 1)
        return pace?.shortened(period) ?? period
    }

    /// Records the request that changed a subscription last, so that outdated requests can be recognized.
    mutating func noteAdvancedCommerceChange(
        of index: LedgerIndex<Subscription>,
        by caller: AdvancedCommerceCaller
    ) {
        ledger[termsOf: index]?.consistencyToken = identifiers.nextUUID()
        ledger[termsOf: index]?.requestReferenceId = caller.requestReferenceId
        ledger.advancedCommerce.note(caller.requestReferenceId)
        let latest = ledger[index].latest
        ledger.contentChanged(of: latest)
        if let token = caller.appAccountToken { apply([.setToken(token)], to: index) }
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
