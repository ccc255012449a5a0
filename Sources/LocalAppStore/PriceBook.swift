/// A price that a product has from an instant on.
struct PriceChange: Hashable, Sendable, Codable {
    /// Thousandths of the currency unit.
    let price: Int64
    /// ISO 3166-1 alpha-3; `nil` for every storefront.
    let storefront: String?
    /// When new customers begin to pay it, milliseconds since 1970.
    let effectiveDate: Int64
    /// When the developer decided on it, milliseconds since 1970; no subscriber is told earlier.
    let decidedDate: Int64
    /// Whether subscribers must agree to a higher price; `nil` leaves that to Apple's rule.
    let needsConsent: Bool?
    /// Whether those who subscribe already keep their price.
    let isPreserving: Bool
}

/// Every change of a price, and the subscriptions whose price is not the one that new customers pay.
struct PriceBook: Sendable, Codable {
    /// By product, in the order in which they take effect.
    private var changes: [String: [PriceChange]] = [:]
    /// What particular subscriptions pay; all others pay the price of their product.
    var overrides: [LedgerIndex<Subscription>: PriceOverride] = [:]
    private var increases = 0

    /// The keys of the store's file.
    private enum CodingKeys: String, CodingKey {
        case changes, increases
        case overrides = "standings"
    }

    /// Whether every product has the price of the catalogue, as most stores have it.
    var isEmpty: Bool { changes.isEmpty }

    /// The change that decides on a product's price at an instant; `nil` when the catalogue does.
    ///
    /// Of two that take effect together, the one decided on later counts, be it for one storefront or for all.
    func change(of productId: String, in storefront: String, at time: Int64) -> PriceChange? {
        changes[productId]?.last { $0.effectiveDate <= time && $0.applies(in: storefront) }
    }

    /// A product's changes in a storefront, in the order in which they take effect.
    func changes(of productId: String, in storefront: String) -> [PriceChange] {
        (changes[productId] ?? []).filter { $0.applies(in: storefront) }
    }

    mutating func add(_ change: PriceChange, to productId: String) {
        var all = changes[productId] ?? []
        let position = all.lastIndex { $0.effectiveDate <= change.effectiveDate }.map { $0 + 1 } ?? 0
        all.insert(change, at: position)
        changes[productId] = all
    }

    /// A number for a price increase, by which its notice on the clock finds it.
    mutating func nextIncrease() -> Int {
        increases += 1
        return increases
    }
}

extension PriceChange {
    func applies(in country: String) -> Bool { storefront == nil || storefront == country }
}

/// What a subscription pays when that is not the price of its product, and the rise that it is to expect.
struct PriceOverride: Hashable, Sendable, Codable {
    /// A rise on its way to one subscriber.
    struct Increase: Hashable, Sendable, Codable {
        /// How far the subscriber is with it.
        enum Stage: Hashable, Sendable, Codable {
            /// Not told yet.
            case unannounced
            /// Asked, and not answered.
            case asked
            /// Refused; a change of mind is possible until the renewal.
            case declined
            /// Agreed to, or told of where no consent is needed.
            case accepted
        }

        let number: Int
        let price: Int64
        let needsConsent: Bool
        /// When the subscriber is told, milliseconds since 1970.
        let noticeDate: Int64
        /// The renewal from which it counts, milliseconds since 1970.
        let effectiveDate: Int64
        var stage = Stage.unannounced
    }

    let productId: String
    let storefront: String
    /// The price of the next period unless an increase was announced, thousandths of the currency unit.
    let price: Int64
    /// Whether the developer lets the subscriber keep the price.
    let isPreserved: Bool
    var increase: Increase?
}
