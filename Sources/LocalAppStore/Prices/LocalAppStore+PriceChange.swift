/// A price change of a product by the developer.
public struct PriceChangeRequest: Hashable, Sendable {
    /// The product.
    public var productId: String
    /// The price, thousandths of the currency unit.
    public var price: Int64
    /// The storefront, ISO 3166-1 alpha-3; `nil` for all storefronts.
    public var storefront: String?
    /// Whether subscribers must agree to an increase; `nil` applies Apple's rule to each.
    public var needsConsent: Bool?
    /// When it takes effect for new customers, milliseconds since 1970; `nil` for now.
    public var effectiveDate: Int64?
    /// Whether existing subscribers keep their price.
    public var preserve: Bool

    /// Makes a request; by default for all storefronts and from now on.
    public init(
        productId: String,
        price: Int64,
        storefront: String? = nil,
        needsConsent: Bool? = nil,
        effectiveDate: Int64? = nil,
        preserve: Bool = false
    ) {
        self.productId = productId
        self.price = price
        self.storefront = storefront
        self.needsConsent = needsConsent
        self.effectiveDate = effectiveDate
        self.preserve = preserve
    }
}

extension LocalAppStore {
    /// The allowed prices of a product, thousandths of the currency unit.
    private static let priceRange: ClosedRange<Int64> = 1...999_999_999_999

    /// Changes the price of a product for new customers from a time on, and for subscribers at a renewal.
    ///
    /// A decrease applies from each subscriber's next renewal. Subscribers are notified of an increase before a
    /// renewal, and asked for consent if it is needed. Those who renew before the notice period ends renew once more at
    /// the old price.
    ///
    /// - Returns: When the price takes effect for new customers, milliseconds since 1970.
    /// - Throws: `product_not_found`, `price_invalid`, `storefront_unknown`, `effective_date_past`,
    ///   `not_a_subscription`, `signing_failed`.
    public mutating func changePrice(_ request: PriceChangeRequest) throws(StoreError) -> Int64 {
        let product = try catalogProduct(request.productId, path: nil)
        try check(request, for: product)
        let effectiveDate = request.effectiveDate ?? now
        let concerned = subscribers(of: product, in: request.storefront)
        let change = PriceChange(
            price: request.price,
            storefront: request.storefront,
            effectiveDate: effectiveDate,
            decidedDate: now,
            needsConsent: request.needsConsent,
            isPreserving: request.preserve
        )
        let before = concerned.map { ownPrice(of: $0, for: product) }
        ledger.add(change, to: product.productId)
        for (index, own) in zip(concerned, before) { reviewPrice(of: index, own: own) }
        try step(to: now)
        return effectiveDate
    }

    private func check(_ request: PriceChangeRequest, for product: CatalogProduct) throws(StoreError) {
        guard Self.priceRange.contains(request.price) else {
            let message = "A price is in thousandths of the currency unit, from 1 to \(Self.priceRange.upperBound)."
            throw StoreError(.priceInvalid, message, path: "price")
        }
        if let storefront = request.storefront { _ = try Self.storefront(named: storefront, path: "storefront") }
        if let date = request.effectiveDate, date < now {
            let message = "The price cannot count from \(date) on: the clock stands at \(now)."
            throw StoreError(.effectiveDatePast, message, path: "effectiveDate")
        }
        guard product.terms == nil, request.needsConsent == true || request.preserve else { return }
        let message = "\"\(product.productId)\" does not renew: consent and preserved prices do not apply."
        let path = request.preserve ? "preserve" : "needsConsent"
        throw StoreError(.notASubscription, message, path: path)
    }

    /// The active subscriptions to a product in a storefront.
    private func subscribers(of product: CatalogProduct, in country: String?) -> [LedgerIndex<Subscription>] {
        ledger.subscriptions.indices.map(LedgerIndex<Subscription>.init(offset:)).filter { index in
            let subscription = ledger[index]
            guard subscription.isLive, subscription.productId == product.productId,
                ledger.family.source(of: index) == nil
            else { return false }
            return country == nil || ledger[subscription.account].storefront.country == country
        }
    }

    /// The price that a subscription pays for a standard period of its current product.
    func ownPrice(of index: LedgerIndex<Subscription>, for product: CatalogProduct) -> Int64 {
        let storefront = ledger[ledger[index].account].storefront
        if let priceOverride = ledger.prices.overrides[index], priceOverride.storefront == storefront.country {
            return priceOverride.price
        }
        return listPrice(of: product, in: storefront, at: now)
    }
}
