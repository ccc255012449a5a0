import AppStoreModel

extension LocalAppStore {
    /// Determines the subscriber's next price after a period was sold.
    ///
    /// - Parameters:
    ///   - index: The subscription.
    ///   - sale: The period.
    ///   - keptPrice: The preserved price with which a lapsed subscriber returned.
    mutating func determinePrice(of index: LedgerIndex<Subscription>, after sale: PeriodSale, keptPrice: Int64? = nil) {
        guard !ledger.prices.isEmpty, ledger.advancedCommerce.subscriptions[index] == nil,
            let product = catalog.products[sale.productId]
        else { return }
        let storefront = ledger[ledger[index].account].storefront
        let list = listPrice(of: product, in: storefront, at: now)
        guard let priceOverride = ledger.prices.overrides[index], priceOverride.productId == sale.productId,
            priceOverride.storefront == storefront.country, sale.reason == .renewal
        else {
            ledger[priceOf: index] = nil
            return reviewPrice(of: index, own: keptPrice ?? list)
        }
        let increase = priceOverride.increase.flatMap {
            $0.stage == .accepted && $0.effectiveDate <= sale.start ? $0 : nil
        }
        reviewPrice(of: index, own: increase?.price ?? priceOverride.price)
    }

    /// Determines the next price of a subscription again after its renewal date has moved.
    mutating func reviewPrice(of index: LedgerIndex<Subscription>) {
        guard !ledger.prices.isEmpty, ledger.advancedCommerce.subscriptions[index] == nil,
            let product = catalog.products[ledger[index].productId]
        else { return }
        reviewPrice(of: index, own: ownPrice(of: index, for: product))
    }

    /// Determines the next price of a subscription and the date of its notice, given its own price.
    mutating func reviewPrice(of index: LedgerIndex<Subscription>, own: Int64) {
        let subscription = ledger[index]
        let storefront = ledger[subscription.account].storefront
        let renewal = priceDate(of: subscription)
        let country = storefront.country
        guard let change = ledger.prices.change(of: subscription.productId, in: country, at: renewal),
            change.price > own
        else {
            ledger[priceOf: index] = nil
            return
        }
        let old = ledger.prices.overrides[index]?.increase
        var priceOverride = PriceOverride(
            productId: subscription.productId,
            storefront: country,
            price: own,
            isPreserved: change.isPreserving
        )
        if let increase = possibleIncrease(for: index, change: change, own: own, renewal: renewal) {
            let isKnown = old.map { $0.stage != .unannounced || $0.effectiveDate == renewal } ?? false
            priceOverride.increase = isKnown && old?.price == increase.price ? old : increase
        } else if let old, old.stage != .unannounced, old.price > own {
            priceOverride.increase = old
        }
        ledger[priceOf: index] = priceOverride
        if let increase = priceOverride.increase, increase.stage == .unannounced, increase != old {
            schedule.push(.priceNotice(index, increase: increase.number), dueAt: increase.noticeDate)
        }
    }

    /// The increase that can still be announced in time for the next renewal.
    private mutating func possibleIncrease(
        for index: LedgerIndex<Subscription>,
        change: PriceChange,
        own: Int64,
        renewal: Int64
    ) -> PriceOverride.Increase? {
        let latest = ledger[ledger[index].latest]
        guard !change.isPreserving, ledger[index].state == .active, latest.offer == nil,
            let period = catalog.products[ledger[index].productId]?.terms?.period
        else { return nil }
        let needsConsent = change.needsConsent ?? needsConsentByRule(to: change, of: index, own: own, period: period)
        // For a period shorter than the notice period, the notice is at its start.
        let start = commitment(of: ledger[index])?.start(monthLength: committedMonth) ?? latest.purchaseDate
        let notice = max(start, renewal - Self.noticeLength(for: period, withConsent: needsConsent))
        guard notice >= max(now, change.decidedDate, latest.purchaseDate) else { return nil }
        return PriceOverride.Increase(
            number: ledger.prices.nextIncrease(),
            price: change.price,
            needsConsent: needsConsent,
            noticeDate: notice,
            effectiveDate: renewal
        )
    }

    /// How long before a renewal the subscriber is notified of an increase, milliseconds.
    ///
    /// - Source: App Store Connect, Manage pricing for auto-renewable subscriptions; without consent Apple's texts
    ///   differ, and this is the one with 30 days for long periods.
    static func noticeLength(for period: CalendarPeriod, withConsent: Bool) -> Int64 {
        if period.isAtMostAWeek { return 7 * Milliseconds.day }
        if period.months <= 1 { return 27 * Milliseconds.day }
        return (withConsent ? 60 : 30) * Milliseconds.day
    }

    /// Whether Apple would ask for consent. It always asks in South Korea, and after another increase within a year. It
    /// also asks for more than half of the price and more than 5 US dollars (50 for a year).
    ///
    /// Apple does not publish the amounts outside the United States; there only the half counts.
    func needsConsentByRule(
        to change: PriceChange,
        of index: LedgerIndex<Subscription>,
        own: Int64,
        period: CalendarPeriod
    ) -> Bool {
        let storefront = ledger[ledger[index].account].storefront
        if storefront.country == "KOR" { return true }
        if hasRisenLately(before: change, of: index, in: storefront.country) { return true }
        let rise = change.price - own
        guard rise * 2 > own else { return false }
        guard storefront.currency == "USD" else { return true }
        return rise > (period.months >= 12 ? 50_000 : 5_000)
    }

    /// Whether the price was already increased in the year before a change.
    private func hasRisenLately(
        before change: PriceChange,
        of index: LedgerIndex<Subscription>,
        in country: String
    ) -> Bool {
        let productId = ledger[index].productId
        var price = catalog.products[productId]?.price ?? 0
        for earlier in ledger.prices.changes(of: productId, in: country) {
            guard earlier.effectiveDate < change.effectiveDate else { return false }
            let yearBefore = change.effectiveDate - 365 * Milliseconds.day
            if earlier.price > price, earlier.effectiveDate > yearBefore { return true }
            price = earlier.price
        }
        return false
    }

    /// Whether a scheduled notice belongs to the increase that is not announced yet.
    func awaitsPriceNotice(_ index: LedgerIndex<Subscription>, of number: Int) -> Bool {
        guard let increase = ledger.prices.overrides[index]?.increase else { return false }
        return increase.number == number && increase.stage == .unannounced
    }

    /// Notifies a subscriber of an increase, or asks for consent, unless the subscription will not renew.
    mutating func givePriceNotice(to index: LedgerIndex<Subscription>) {
        let subscription = ledger[index]
        guard var increase = ledger.prices.overrides[index]?.increase, subscription.state == .active,
            subscription.isAutoRenewOn, subscription.renewalProductId == subscription.productId
        else { return }
        increase.stage = increase.needsConsent ? .asked : .accepted
        ledger[priceOf: index]?.increase = increase
        announce(.priceIncrease, increase.needsConsent ? .pending : .accepted, transaction: subscription.latest)
        let kind: CustomerMail.Kind = increase.needsConsent ? .priceIncreaseConsent : .priceIncreaseNotice
        send(kind, about: index, price: increase.price)
    }

    /// Whether a renewal fails because the subscriber did not consent.
    func lacksPriceConsent(_ subscription: Subscription) -> Bool {
        guard let priceOverride = overridingPrice(of: subscription),
            priceOverride.productId == subscription.renewalProductId
        else { return false }
        return priceOverride.increase?.lacksConsent == true
    }

    /// Answers a price increase as a subscriber.
    ///
    /// A subscriber who refuses keeps the subscription until the end of the period, and can agree until then.
    ///
    /// - Throws: `subscription_not_found`, `family_shared`, `subscription_not_active`, `price_increase_not_asked`,
    ///   `price_increase_accepted`, `signing_failed`.
    public mutating func answerPriceIncrease(originalTransactionId: String, accept: Bool) throws(StoreError) {
        let index = try liveSubscription(originalTransactionId)
        guard let increase = ledger.prices.overrides[index]?.increase, increase.needsConsent,
            increase.stage != .unannounced
        else {
            let message = "The subscriber has not been asked to agree to a price: \(priceOutlook(of: index))."
            throw StoreError(.priceIncreaseNotAsked, message)
        }
        guard accept else {
            guard increase.stage != .accepted else {
                let message = "The subscriber has agreed already; to end the subscription, turn auto-renew off."
                throw StoreError(.priceIncreaseAccepted, message, path: "accept")
            }
            ledger[priceOf: index]?.increase?.stage = .declined
            return
        }
        guard increase.stage != .accepted else { return }
        ledger[priceOf: index]?.increase?.stage = .accepted
        announce(.priceIncrease, .accepted, transaction: ledger[index].latest)
        try settle()
    }

    private func priceOutlook(of index: LedgerIndex<Subscription>) -> String {
        guard let increase = ledger.prices.overrides[index]?.increase else { return "no price increase is pending" }
        guard increase.needsConsent else { return "the pending price increase needs no consent" }
        return "that happens at \(increase.noticeDate)"
    }
}
