import AppStoreModel

/// The terms of an Advanced Commerce subscription from its next renewal on.
struct AdvancedCommerceTerms: Hashable, Sendable, Codable {
    /// One item of the subscription.
    struct Item: Hashable, Sendable, Codable {
        var sku: String
        var description: String
        var displayName: String
        /// Without an offer, thousandths of the currency unit.
        var price: Int64
        var offer: AdvancedCommerceOffer?
        /// The number of remaining offer periods.
        var offerPeriodsLeft = 0
        /// A pending price increase, thousandths of the currency unit.
        var increasedPrice: Int64?
        /// Items that depend on the customer's consent to the increase.
        var dependentSKUs: [String]?

        /// The offer of the next period, with the number of remaining periods.
        var dueOffer: AdvancedCommerceOffer? {
            guard offerPeriodsLeft > 0, var offer else { return nil }
            offer.periodCount = Int32(offerPeriodsLeft)
            return offer
        }

        /// The price of the next period, thousandths of the currency unit.
        var duePrice: Int64 { dueOffer?.price ?? price }
    }

    var items: [Item]
    var descriptors: AdvancedCommerceDescriptors
    var period: AdvancedCommercePeriod
    var taxCode: String
    /// The request that created or last changed it.
    var requestReferenceId: String
    /// Proves that a request is based on this state.
    var consistencyToken: String

    /// The price of the next period, thousandths of the currency unit.
    var duePrice: Int64 { items.reduce(0) { $0 + $1.duePrice } }

    /// The price of a period without offers and before pending increases, thousandths of the currency unit.
    var regularPrice: Int64 { items.reduce(0) { $0 + $1.price } }

    /// The price of a period without offers and with pending increases, thousandths of the currency unit.
    var increasedPrice: Int64 { items.reduce(0) { $0 + ($1.increasedPrice ?? $1.price) } }

    /// The name of the next period's length: that of an offer if all items have one of the same length.
    var duePeriod: String {
        let offered = Set(items.map { $0.dueOffer?.period?.rawValue })
        guard offered.count == 1, let period = offered.first ?? nil else { return period.rawValue }
        return period
    }

    /// Refuses offers whose periods neither match the subscription nor are equal for all items.
    func checkOfferPeriods() throws(AppStoreServerAPIError) {
        let offered = Set(items.map { $0.dueOffer?.period?.rawValue })
        let fits = offered.allSatisfy { $0 == nil || $0 == period.rawValue }
        guard fits || offered.count == 1 else { throw .misalignedBillingCycle }
    }

    /// The payload of a transaction for the next period.
    func sold() -> AdvancedCommerceTransactionInfo {
        AdvancedCommerceTransactionInfo(
            descriptors: descriptors,
            estimatedTax: 0,
            items: items.map { item in
                AdvancedCommerceTransactionItem(
                    sku: item.sku,
                    description: item.description,
                    displayName: item.displayName,
                    offer: item.dueOffer,
                    price: item.price
                )
            },
            period: period,
            requestReferenceId: requestReferenceId,
            taxCode: taxCode,
            taxExclusivePrice: duePrice,
            taxRate: "0"
        )
    }

    /// Removes the items whose increase was not agreed to, and their dependents.
    mutating func removeRefusedItems() {
        let refused = items.filter { $0.increasedPrice != nil }
        let gone = Set(refused.map(\.sku) + refused.flatMap { $0.dependentSKUs ?? [] })
        items.removeAll { gone.contains($0.sku) }
    }

    /// Counts a period of every running offer.
    mutating func passPeriod() {
        for position in items.indices where items[position].offerPeriodsLeft > 0 {
            items[position].offerPeriodsLeft -= 1
        }
    }

    /// The payload of renewal information; an item's price is the increased one after its announcement.
    func renewalInfo(increase status: AdvancedCommercePriceIncreaseStatus?) -> AdvancedCommerceRenewalInfo {
        let isAnnounced = status == .pending || status == .accepted
        return AdvancedCommerceRenewalInfo(
            consistencyToken: consistencyToken,
            descriptors: descriptors,
            items: items.map { item in
                AdvancedCommerceRenewalItem(
                    sku: item.sku,
                    description: item.description,
                    displayName: item.displayName,
                    offer: item.dueOffer,
                    price: isAnnounced ? item.increasedPrice ?? item.price : item.price,
                    priceIncreaseInfo: item.increasedPrice.flatMap { price in
                        status.map {
                            AdvancedCommercePriceIncreaseInfo(
                                dependentSKUs: item.dependentSKUs,
                                price: price,
                                status: $0
                            )
                        }
                    }
                )
            },
            period: period,
            requestReferenceId: requestReferenceId,
            taxCode: taxCode
        )
    }
}

/// An item of a request, with its texts.
protocol AdvancedCommerceNamedItem {
    var sku: String { get }
    var description: String { get }
    var displayName: String { get }
}

/// An item that a change adds, alone or as a replacement.
protocol AdvancedCommerceNewItem: AdvancedCommerceNamedItem {
    var price: Int64 { get }
    var offer: AdvancedCommerceOffer? { get }
    var proratedPrice: Int64? { get }
}

extension AdvancedCommerceSubscriptionCreateItem: AdvancedCommerceNamedItem {}
extension AdvancedCommerceSubscriptionMigrateItem: AdvancedCommerceNamedItem {}
extension AdvancedCommerceSubscriptionMigrateRenewalItem: AdvancedCommerceNamedItem {}
extension AdvancedCommerceSubscriptionModifyAddItem: AdvancedCommerceNewItem {}
extension AdvancedCommerceSubscriptionModifyChangeItem: AdvancedCommerceNewItem {}

extension AdvancedCommerceTerms.Item {
    init(_ item: some AdvancedCommerceNamedItem, price: Int64, offer: AdvancedCommerceOffer? = nil) {
        self.init(sku: item.sku, description: item.description, displayName: item.displayName, price: price)
        self.offer = offer
        self.offer?.unknownFields = JSONObject()
        offerPeriodsLeft = Int(offer?.periodCount ?? 0)
    }
}

/// The refund of one item.
struct AdvancedCommerceRefundOrder: Hashable, Sendable, Codable {
    let sku: String
    /// Thousandths of the currency unit.
    let amount: Int64
    let reason: AdvancedCommerceRefundReason
    let type: AdvancedCommerceRefundType
    /// Whether the customer loses the item.
    let revokes: Bool
}
