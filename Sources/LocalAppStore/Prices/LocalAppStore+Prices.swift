import AppStoreModel

extension LocalAppStore {
    /// How long after its end a subscription can return at its preserved price, milliseconds.
    ///
    /// - Source: App Store Connect, Manage pricing for auto-renewable subscriptions.
    private static let preservedPriceGapMax = 60 * Milliseconds.day

    /// The price of a product in a storefront at a time, without an offer; thousandths of its currency unit.
    func listPrice(of product: CatalogProduct, in storefront: Storefront, at time: Int64) -> Int64 {
        guard !ledger.prices.isEmpty else { return product.price }
        return ledger.prices.change(of: product.productId, in: storefront.country, at: time)?.price
            ?? product.price
    }

    /// The price of a new sale of one product to the account now, without an offer; thousandths of its currency unit.
    func salePrice(of product: CatalogProduct, to account: LedgerIndex<Account>) -> Int64 {
        if let terms = product.terms, let held = ledger.subscription(of: account, inGroup: terms.groupId),
            let price = preservedPrice(of: held, for: product.productId)
        {
            return price
        }
        return listPrice(of: product, in: ledger[account].storefront, at: now)
    }

    /// The price of the next period of a subscription, without an offer; thousandths of its currency unit.
    func renewalPrice(of product: CatalogProduct, for subscription: Subscription) -> Int64 {
        guard let commitment = commitment(of: subscription) else {
            return standardPrice(of: product, for: subscription)
        }
        guard commitment.isInLastMonth else { return commitment.monthlyPrice }
        let price = standardPrice(of: product, for: subscription)
        let isSamePlan = product.productId == subscription.productId
        return isSamePlan ? Commitment.monthlyPrice(ofYear: price) : price
    }

    /// The price of the next immediate payment of a subscription; for a commitment, its next year.
    func standardPrice(of product: CatalogProduct, for subscription: Subscription) -> Int64 {
        let storefront = ledger[subscription.account].storefront
        if let priceOverride = overridingPrice(of: subscription), priceOverride.productId == product.productId,
            priceOverride.storefront == storefront.country
        {
            if let increase = priceOverride.increase, increase.stage != .unannounced { return increase.price }
            return priceOverride.price
        }
        return listPrice(of: product, in: storefront, at: priceDate(of: subscription))
    }

    /// The renewal at which a new price can take effect; for a commitment, that of the year.
    func priceDate(of subscription: Subscription) -> Int64 {
        max(now, commitment(of: subscription)?.end ?? ledger[subscription.latest].expiresDate ?? now)
    }

    /// The price of the next period, for all seats; absent if there will be no charge.
    func announcedRenewalPrice(of subscription: Subscription) -> Int64? {
        guard subscription.isAutoRenewOn, ledger[subscription.latest].ownership == .purchased,
            let product = catalog.products[subscription.renewalProductId]
        else { return nil }
        let index = ledger[subscription.original].subscription
        if let price = index.flatMap({ advancedCommerceRenewalPrice(of: $0) }) { return price }
        let upcoming = index.flatMap { upcomingOffer(of: $0) }
        let price = upcoming?.offer.terms.price ?? renewalPrice(of: product, for: subscription)
        let seats = index.flatMap { ledger.seats.plans[$0]?.renewalQuantity } ?? 1
        return price * Int64(seats)
    }

    /// The state of a price increase for a subscriber; absent if none is announced.
    func priceIncreaseStatus(of subscription: Subscription) -> PriceIncreaseStatus? {
        switch overridingPrice(of: subscription)?.increase?.stage {
        case .asked, .declined: .pending
        case .accepted: .accepted
        case .unannounced, nil: nil
        }
    }

    /// The price of a subscription that differs from its product's price.
    func overridingPrice(of subscription: Subscription) -> PriceOverride? {
        guard !ledger.prices.overrides.isEmpty, let index = ledger[subscription.original].subscription else {
            return nil
        }
        return ledger.prices.overrides[index]
    }

    /// The price at which a subscription can return soon after its end; `nil` if it preserved none.
    func preservedPrice(of index: LedgerIndex<Subscription>, for productId: String) -> Int64? {
        guard let priceOverride = ledger.prices.overrides[index], priceOverride.isPreserved, !ledger[index].isLive,
            priceOverride.productId == productId,
            priceOverride.storefront == ledger[ledger[index].account].storefront.country,
            now - ledger[ledger[index].latest].coverageEnd <= Self.preservedPriceGapMax
        else { return nil }
        return priceOverride.price
    }
}
