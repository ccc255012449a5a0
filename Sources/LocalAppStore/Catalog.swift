/// Everything the app sells, as an Xcode StoreKit configuration file describes it.
public struct Catalog: Hashable, Sendable, Codable {
    /// Every product by its identifier.
    public internal(set) var products: [String: CatalogProduct]

    /// The identifiers of the products in the order of the file.
    public let productIds: [String]

    /// The auto-renewable subscriptions, in the order of the file.
    let subscriptions: [CatalogProduct]

    /// The other products, in the order of the file.
    let oneTimeProducts: [CatalogProduct]

    /// The settings the file begins with.
    public let settings: StoreSettings

    /// The file as it was read, byte for byte.
    public let source: [UInt8]

    /// The shortened lengths that the products have now.
    var pace: SandboxPace?

    /// What the file says and the store does not play, as paths such as `settings._timeRate`.
    public let ignored: [String]

    /// The win-back offers of each group, best first.
    let winBackOffers: [String: [WinBackOfferPlan]]

    /// The key that Xcode wrote into the file for promotional offers.
    let offersKey: OffersKey?

    init(
        products: [CatalogProduct],
        settings: StoreSettings,
        source: [UInt8],
        offersKey: OffersKey? = nil,
        ignored: [String] = []
    ) {
        self.products = Dictionary(products.map { ($0.productId, $0) }, uniquingKeysWith: { first, _ in first })
        self.productIds = products.map(\.productId)
        self.subscriptions = products.filter { $0.terms != nil }
        self.oneTimeProducts = products.filter { $0.terms == nil }
        self.settings = settings
        self.source = source
        self.offersKey = offersKey
        self.ignored = ignored
        var winBackOffers: [String: [WinBackOfferPlan]] = [:]
        for priority in WinBackOfferPlan.Priority.allCases {
            for terms in products.compactMap(\.terms) {
                winBackOffers[terms.groupId, default: []] += terms.winBackOffers.filter { $0.priority == priority }
            }
        }
        self.winBackOffers = winBackOffers.filter { !$0.value.isEmpty }
    }

    /// Reads the file as it was read before.
    ///
    /// - Throws: ``CatalogError`` when this version of the store refuses it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let original = try Catalog(storekit: Array(try container.decode(String.self, forKey: .source).utf8))
        self = original.paced(by: try container.decodeIfPresent(SandboxPace.self, forKey: .pace))
    }

    /// Writes the file as it was read.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(String(decoding: source, as: UTF8.self), forKey: .source)
        try container.encodeIfPresent(pace, forKey: .pace)
    }

    private enum CodingKeys: String, CodingKey { case source, pace }
}

/// One thing the app sells.
public struct CatalogProduct: Hashable, Sendable {
    /// What kind of product it is.
    public enum Kind: Hashable, Sendable {
        /// Used up; may be bought again and again.
        case consumable
        /// Owned for ever.
        case nonConsumable
        /// Time that the developer counts.
        case nonRenewing
        /// Renews until it is cancelled.
        case autoRenewable(SubscriptionTerms)
    }

    /// The product's identifier.
    public let productId: String

    /// The name that only the developer sees.
    public let referenceName: String

    /// The price, thousandths of the currency unit of the customer's storefront.
    public let price: Int64

    /// Whether the developer lets families share it.
    public let isFamilyShareable: Bool

    /// What kind of product it is.
    public internal(set) var kind: Kind

    /// The codes that make it cheaper, for products other than subscriptions.
    public let codeOffers: [OneTimeCodeOfferPlan]

    /// The terms, for auto-renewable subscriptions.
    public var terms: SubscriptionTerms? {
        if case .autoRenewable(let terms) = kind { terms } else { nil }
    }
}

/// What is particular to an auto-renewable subscription.
public struct SubscriptionTerms: Hashable, Sendable {
    /// The group; an account has at most one live subscription in it.
    public let groupId: String

    /// The level of service in the group; 1 is the highest.
    public let level: Int

    /// How long a period lasts.
    public internal(set) var period: CalendarPeriod

    /// The offer for customers new to the group.
    public internal(set) var introductoryOffer: OfferTerms?

    /// The offers that apps name with the developer's signature.
    public internal(set) var promotionalOffers: [PromotionalOfferPlan]

    /// The offers for which customers redeem a code.
    public internal(set) var codeOffers: [CodeOfferPlan]

    /// The offers for customers who paid and left.
    public internal(set) var winBackOffers: [WinBackOfferPlan]
}

extension Catalog {
    /// How many products a message names.
    private static let namedProductsMax = 20

    /// Says that there is no such product, and which there are.
    func message(lacking productId: String) -> String {
        let names = productIds.prefix(Self.namedProductsMax).joined(separator: ", ")
        let more = productIds.count > Self.namedProductsMax ? ", and more (GET /_store/catalog)" : ""
        return "The catalogue has no product \"\(productId)\"; it has \(names.isEmpty ? "none" : names)\(more)."
    }
}
