public import AppStoreModel

extension LocalAppStore {
    /// Changes prices from the next renewal on.
    ///
    /// Increases are announced to the customer, who must agree by the rules of every price increase.
    ///
    /// - Source: Advanced Commerce API, Change Subscription Price.
    /// - Throws: One of `AppStoreServerCall.changeSubscriptionPrice.errors`.
    public mutating func changeAdvancedCommercePrice(
        transactionId: String,
        body: JSONObject
    ) throws(AppStoreServerAPIError) -> AdvancedCommerceSubscriptionPriceChangeResponse {
        let request = try AdvancedCommerceSubscriptionPriceChangeRequest(body, about: transactionId)
        let caller = AdvancedCommerceCaller(request, currency: request.currency)
        let index = try advancedCommerceSubscription(of: transactionId, for: caller)
        try checkPriceMayChange(of: index)
        try apply(request.items, to: index)
        noteAdvancedCommerceChange(of: index, by: caller)
        let latest = ledger[index].latest
        announce(.priceChange, transaction: latest)
        let (transaction, renewal) = try signedAnswer(about: latest)
        return .init(signedTransactionInfo: transaction, signedRenewalInfo: renewal)
    }

    private func checkPriceMayChange(of index: LedgerIndex<Subscription>) throws(AppStoreServerAPIError) {
        let subscription = ledger[index]
        guard subscription.isLive else { throw .inactiveACASub }
        let lead = Int64(AdvancedCommerceLimits.priceChangeLeadHours) * Milliseconds.hour
        guard subscription.state == .active, subscription.isAutoRenewOn,
            (ledger[subscription.latest].expiresDate ?? now) - now >= lead
        else { throw .subscriptionNotEligible }
        try checkStorefront(of: index)
        if let increase = ledger.prices.overrides[index]?.increase, increase.stage != .unannounced {
            throw .priceChangeCannotBeIssuedWhenAlreadyCommunicated
        }
    }

    /// Refuses a subscription whose customer moved to another storefront.
    func checkStorefront(of index: LedgerIndex<Subscription>) throws(AppStoreServerAPIError) {
        let subscription = ledger[index]
        guard storefront(of: subscription.latest).country == ledger[subscription.account].storefront.country else {
            throw .storefrontChange
        }
    }

    private mutating func apply(
        _ changes: [AdvancedCommerceSubscriptionPriceChangeItem],
        to index: LedgerIndex<Subscription>
    ) throws(AppStoreServerAPIError) {
        guard var terms = ledger.advancedCommerce.subscriptions[index] else { return }
        let country = ledger[ledger[index].account].storefront.country
        for change in changes {
            let known = Set(terms.items.map(\.sku))
            guard let position = terms.items.firstIndex(where: { $0.sku == change.sku }),
                known.isSuperset(of: change.dependentSKUs ?? [])
            else { throw .invalidSKUProvidedMustBeCurrentSKUSetToRenew }
            let isIncrease = change.price > terms.items[position].price
            guard !isIncrease || country != "IND" else { throw .acaPriceIncreaseIsNotCurrentlySupportedInIndia }
            if !isIncrease { terms.items[position].price = change.price }
            terms.items[position].increasedPrice = isIncrease ? change.price : nil
            terms.items[position].dependentSKUs = isIncrease ? change.dependentSKUs : nil
        }
        ledger[termsOf: index] = terms
        scheduleAdvancedCommerceIncrease(of: index)
    }

    /// The renewal at which increases take effect: the next one, but not within an offer of an affected item, and in
    /// the sandbox not the first.
    private func increaseDate(of terms: AdvancedCommerceTerms, renewal: Int64, isNew: Bool) -> Int64 {
        let offers = terms.items.filter { $0.increasedPrice != nil }.map(\.offerPeriodsLeft).max() ?? 0
        let spared = max(offers, isNew && configuration.environment == .sandbox ? 1 : 0)
        return length(of: terms.duePeriod).added(to: renewal, times: spared)
    }

    /// How long before a renewal the customer is notified of an increase, milliseconds.
    ///
    /// - Source: Advanced Commerce API, Handling subscription price changes: without consent 27 days.
    private static func advancedCommerceNotice(for period: CalendarPeriod, withConsent: Bool) -> Int64 {
        guard withConsent || period.isAtMostAWeek else { return 27 * Milliseconds.day }
        return noticeLength(for: period, withConsent: withConsent)
    }

    /// Adapts a pending increase to modified items. One that the customer knows keeps its dates and the answer.
    mutating func reviewAdvancedCommerceIncrease(of index: LedgerIndex<Subscription>) {
        guard var priceOverride = ledger.prices.overrides[index], let increase = priceOverride.increase,
            let terms = ledger.advancedCommerce.subscriptions[index], increase.stage != .unannounced,
            terms.items.contains(where: { $0.increasedPrice != nil })
        else {
            let planned = ledger.prices.overrides[index]?.increase
            scheduleAdvancedCommerceIncrease(of: index, isNew: false, notBefore: planned?.effectiveDate ?? .min)
            return
        }
        priceOverride.price = terms.regularPrice
        priceOverride.increase?.price = terms.increasedPrice
        ledger[priceOf: index] = priceOverride
    }

    /// Determines when the customer is notified of increases, and whether consent is needed.
    ///
    /// - Parameters:
    ///   - index: The subscription.
    ///   - isNew: Whether the prices were decided now; `false` for those that missed their renewal or were planned.
    ///   - earliest: The earliest time at which they take effect, milliseconds since 1970.
    mutating func scheduleAdvancedCommerceIncrease(
        of index: LedgerIndex<Subscription>,
        isNew: Bool = true,
        notBefore earliest: Int64 = .min
    ) {
        let subscription = ledger[index]
        guard let terms = ledger.advancedCommerce.subscriptions[index],
            terms.items.contains(where: { $0.increasedPrice != nil }),
            let renewal = ledger[subscription.latest].expiresDate
        else {
            ledger[priceOf: index] = nil
            return
        }
        let (own, raised) = (terms.regularPrice, terms.increasedPrice)
        let period = length(of: terms.period.rawValue)
        let date = max(increaseDate(of: terms, renewal: renewal, isNew: isNew), earliest)
        let change = PriceChange(
            price: raised,
            storefront: nil,
            effectiveDate: date,
            decidedDate: now,
            needsConsent: nil,
            isPreserving: false
        )
        let needsConsent = needsConsentByRule(to: change, of: index, own: own, period: period)
        let increase = PriceOverride.Increase(
            number: ledger.prices.nextIncrease(),
            price: raised,
            needsConsent: needsConsent,
            noticeDate: max(now, date - Self.advancedCommerceNotice(for: period, withConsent: needsConsent)),
            effectiveDate: date
        )
        ledger[priceOf: index] = PriceOverride(
            productId: subscription.productId,
            storefront: ledger[subscription.account].storefront.country,
            price: own,
            isPreserved: false,
            increase: increase
        )
        schedule.push(.priceNotice(index, increase: increase.number), dueAt: increase.noticeDate)
    }
}
