/// A price of a product from a time on.
struct PriceChange: Hashable, Sendable, Codable {
    /// Thousandths of the currency unit.
    let price: Int64
    /// ISO 3166-1 alpha-3; `nil` for all storefronts.
    let storefront: String?
    /// When it takes effect for new customers, milliseconds since 1970.
    let effectiveDate: Int64
    /// When the developer decided on it, milliseconds since 1970; no subscriber is notified earlier.
    let decidedDate: Int64
    /// Whether subscribers must agree to an increase; `nil` applies Apple's rule.
    let needsConsent: Bool?
    /// Whether existing subscribers keep their price.
    let isPreserving: Bool
}

/// All price changes, and the subscriptions whose price differs from that of new customers.
struct PriceBook: Sendable, Codable {
    /// By product, ordered by effective date.
    private var changes: [String: [PriceChange]] = [:]
    /// The prices of particular subscriptions; all others pay the price of their product.
    fileprivate(set) var overrides: [LedgerIndex<Subscription>: PriceOverride] = [:]
    private var increases = 0

    /// The keys of the store's file.
    private enum CodingKeys: String, CodingKey {
        case changes, increases
        case overrides = "standings"
    }

    /// Whether every product has its catalogue price, as in most stores.
    var isEmpty: Bool { changes.isEmpty }

    /// The change that determines a product's price at a time; `nil` if the catalogue does.
    ///
    /// Of two changes with the same date, the one decided later applies, regardless of its storefronts.
    func change(of productId: String, in storefront: String, at time: Int64) -> PriceChange? {
        changes[productId]?.last { $0.effectiveDate <= time && $0.applies(in: storefront) }
    }

    /// A product's changes in a storefront, ordered by effective date.
    func changes(of productId: String, in storefront: String) -> [PriceChange] {
        (changes[productId] ?? []).filter { $0.applies(in: storefront) }
    }

    fileprivate mutating func add(_ change: PriceChange, to productId: String) {
        var all = changes[productId] ?? []
        let position = all.lastIndex { $0.effectiveDate <= change.effectiveDate }.map { $0 + 1 } ?? 0
        all.insert(change, at: position)
        changes[productId] = all
    }

    /// The number of a price increase, by which its scheduled notice finds it.
    mutating func nextIncrease() -> Int {
        increases += 1
        return increases
    }
}

extension Ledger {
    /// The price of a subscription that differs from its product's price.
    subscript(priceOf index: LedgerIndex<Subscription>) -> PriceOverride? {
        get { prices.overrides[index] }
        set {
            prices.overrides[index] = newValue
            contentChanged(of: index)
        }
    }

    /// Adds a price change of a product, which is in the renewal information of all who have or have chosen it.
    mutating func add(_ change: PriceChange, to productId: String) {
        prices.add(change, to: productId)
        for offset in subscriptions.indices {
            let index = LedgerIndex<Subscription>(offset: offset)
            let subscription = self[index]
            guard subscription.isLive,
                subscription.productId == productId || subscription.renewalProductId == productId,
                change.applies(in: self[subscription.account].storefront.country), family.source(of: index) == nil
            else { continue }
            contentChanged(of: index)
        }
    }
}

extension PriceChange {
    func applies(in country: String) -> Bool { storefront == nil || storefront == country }
}

/// The price of a subscription that differs from its product's price, and its pending increase.
struct PriceOverride: Hashable, Sendable, Codable {
    /// A pending price increase of one subscriber.
    struct Increase: Hashable, Sendable, Codable {
        /// The state of the increase.
        enum Stage: Hashable, Sendable, Codable {
            /// The subscriber is not notified yet.
            case unannounced
            /// The subscriber was asked and has not answered.
            case asked
            /// Refused; the subscriber can still agree until the renewal.
            case declined
            /// Agreed to, or announced if no consent is needed.
            case accepted
        }

        let number: Int
        var price: Int64
        let needsConsent: Bool
        /// When the subscriber is notified, milliseconds since 1970.
        let noticeDate: Int64
        /// The renewal at which it takes effect, milliseconds since 1970.
        let effectiveDate: Int64
        var stage = Stage.unannounced

        /// Whether the customer was asked and has not agreed: unanswered or declined.
        var lacksConsent: Bool { stage == .asked || stage == .declined }
    }

    let productId: String
    let storefront: String
    /// The price of the next period unless an increase was announced, thousandths of the currency unit.
    var price: Int64
    /// Whether the developer preserves the subscriber's price.
    let isPreserved: Bool
    var increase: Increase?
}
