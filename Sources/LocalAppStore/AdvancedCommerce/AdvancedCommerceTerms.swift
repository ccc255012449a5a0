import AppStoreModel

/// What an Advanced Commerce subscription consists of from its next renewal on.
struct AdvancedCommerceTerms: Hashable, Sendable, Codable {
    /// One item of the subscription.
    struct Item: Hashable, Sendable, Codable {
        var sku: String
        var description: String
        var displayName: String
        /// Without an offer, thousandths of the currency unit.
        var price: Int64
        var offer: AdvancedCommerceOffer?
        /// How many periods of the offer are still to come.
        var offerPeriodsLeft = 0
        /// A higher price on its way, thousandths of the currency unit.
        var increasedPrice: Int64?
        /// Items that depend on the customer's consent to the higher price.
        var dependentSKUs: [String]?

        /// The offer that the next period has, with the number of periods that remain of it.
        var dueOffer: AdvancedCommerceOffer? {
            guard offerPeriodsLeft > 0, var offer else { return nil }
            offer.periodCount = Int32(offerPeriodsLeft)
            return offer
        }

        /// What the next period costs, thousandths of the currency unit.
        var duePrice: Int64 { dueOffer?.price ?? price }
    }

    var items: [Item]
    var descriptors: AdvancedCommerceDescriptors
    var period: AdvancedCommercePeriod
    var taxCode: String
    /// The request that made or last changed it.
    var requestReferenceId: String
    /// Proves that a request knows this state.
    var consistencyToken: String

    /// What the next period costs, thousandths of the currency unit.
    var duePrice: Int64 { items.reduce(0) { $0 + $1.duePrice } }

    /// The name of the next period's length: that of an offer where every item has one of the same length.
    var duePeriod: String {
        let offered = Set(items.map { $0.dueOffer?.period?.rawValue })
        guard offered.count == 1, let period = offered.first ?? nil else { return period.rawValue }
        return period
    }

    /// What a transaction for the next period says.
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

    /// Takes away the items whose higher price was not agreed to, and those that depend on them.
    mutating func removeRefusedItems() {
        let refused = items.filter { $0.increasedPrice != nil }
        let gone = Set(refused.map(\.sku) + refused.flatMap { $0.dependentSKUs ?? [] })
        items.removeAll { gone.contains($0.sku) }
    }

    /// Counts a period of every offer that is running.
    mutating func passPeriod() {
        for position in items.indices where items[position].offerPeriodsLeft > 0 {
            items[position].offerPeriodsLeft -= 1
        }
    }

    /// What renewal information says; an item's price is the higher one as soon as the customer was told of it.
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

/// What was bought with Advanced Commerce, and what is to renew.
struct AdvancedCommerceLedger: Sendable, Codable {
    /// What each transaction consists of.
    var purchases: [LedgerIndex<Transaction>: AdvancedCommerceTransactionInfo] = [:]
    /// The subscriptions of Advanced Commerce.
    var subscriptions: [LedgerIndex<Subscription>: AdvancedCommerceTerms] = [:]
    /// The ordinary subscriptions that moved, by those that they became.
    private(set) var origins: [LedgerIndex<Subscription>: LedgerIndex<Subscription>] = [:]
    private var moved: Set<LedgerIndex<Subscription>> = []
    /// The items whose refund waits for a decision.
    var pendingRefunds: [LedgerIndex<Transaction>: [AdvancedCommerceRefundOrder]] = [:]
    private var requests: Set<String> = []

    /// Whether a request was made before.
    func hasSeen(_ requestReferenceId: String) -> Bool { requests.contains(requestReferenceId) }

    mutating func note(_ requestReferenceId: String) { requests.insert(requestReferenceId) }

    /// Whether an ordinary subscription goes on as one of Advanced Commerce.
    func hasMoved(_ subscription: LedgerIndex<Subscription>) -> Bool {
        !moved.isEmpty && moved.contains(subscription)
    }

    /// Notes that a subscription goes on as another one.
    mutating func move(_ old: LedgerIndex<Subscription>, to new: LedgerIndex<Subscription>) {
        origins[new] = old
        moved.insert(old)
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
