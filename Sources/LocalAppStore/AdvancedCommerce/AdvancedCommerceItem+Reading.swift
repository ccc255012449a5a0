import AppStoreModel

extension AdvancedCommerceTerms.Item {
    /// Reads an item with a price and an optional offer.
    init(_ reader: AdvancedCommerceReader) throws(AppStoreServerAPIError) {
        let sku = try reader.sku()
        let texts = try reader.presentation()
        self.init(
            sku: sku,
            description: texts.description ?? "",
            displayName: texts.displayName ?? "",
            price: try reader.price()
        )
        guard let offer = try reader.inner("offer") else { return }
        let terms = try Self.offer(offer, below: price)
        self.offer = terms
        offerPeriodsLeft = Int(terms.periodCount ?? 0)
    }

    private static func offer(
        _ reader: AdvancedCommerceReader,
        below regularPrice: Int64
    ) throws(AppStoreServerAPIError) -> AdvancedCommerceOffer {
        let period: AdvancedCommerceOfferPeriod = try reader.value(
            "period",
            ifAbsent: .nullOfferPeriod,
            ifUnknown: .invalidOfferPeriod
        )
        let count = try reader.integer("periodCount", ifAbsent: .nullPeriodCount)
        guard count > 0 else { throw .fault(.periodCountNotPositive) }
        guard let small = Int(exactly: count), AdvancedCommerceLimits.offerPeriodCount.contains(small) else {
            throw .fault(.invalidOfferPeriodCount)
        }
        let price = try reader.price()
        guard price <= regularPrice else { throw .fault(.invalidOfferPrice) }
        guard price > 0 || count == 1 else { throw .fault(.freeTrialOfferMustUsePeriodCountOfOne) }
        let reason: AdvancedCommerceOfferReason = try reader.value(
            "reason",
            ifAbsent: .nullReason,
            ifUnknown: .invalidOfferReason
        )
        return AdvancedCommerceOffer(period: period, periodCount: Int32(small), price: price, reason: reason)
    }
}

extension AdvancedCommerceTerms {
    /// Refuses offers whose periods neither match the subscription nor are equal for all items.
    func checkOfferPeriods() throws(AppStoreServerAPIError) {
        let offered = Set(items.map { $0.dueOffer?.period?.rawValue })
        let fits = offered.allSatisfy { $0 == nil || $0 == period.rawValue }
        guard fits || offered.count == 1 else { throw .fault(.misalignedBillingCycle) }
    }
}
