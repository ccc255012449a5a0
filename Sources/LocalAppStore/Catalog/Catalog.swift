/// The products of the app, as described by an Xcode StoreKit configuration file.
public struct Catalog: Hashable, Sendable, Codable {
    /// Every product by its identifier.
    public internal(set) var products: [String: CatalogProduct]

    /// The identifiers of the products in the order of the file.
    public let productIds: [String]

    /// The auto-renewable subscriptions, in the order of the file.
    let subscriptions: [CatalogProduct]

    /// The other products, in the order of the file.
    let oneTimeProducts: [CatalogProduct]

    /// The initial settings of the file.
    public let settings: StoreSettings

    /// The source file, byte for byte.
    public let source: [UInt8]

    /// The current shortened lengths of the products.
    var pace: SandboxPace?

    /// The paths of members that the store does not simulate, for example `settings._timeRate`.
    public let ignored: [String]

    /// The win-back offers of each group, best first.
    let winBackOffers: [String: [WinBackOfferPlan]]

    /// The key for promotional offers that Xcode wrote into the file.
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

    /// Parses the saved source file.
    ///
    /// - Throws: ``CatalogError`` if this version of the store refuses it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let original = try Catalog(storekit: Array(try container.decode(String.self, forKey: .source).utf8))
        self = original.applying(try container.decodeIfPresent(SandboxPace.self, forKey: .pace))
    }

    /// Encodes the source file.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(String(decoding: source, as: UTF8.self), forKey: .source)
        try container.encodeIfPresent(pace, forKey: .pace)
    }

    private enum CodingKeys: String, CodingKey { case source, pace }
}

/// One product of the app.
public struct CatalogProduct: Hashable, Sendable {
    /// What kind of product it is.
    public enum Kind: Hashable, Sendable {
        /// Consumed; can be bought repeatedly.
        case consumable
        /// Owned permanently.
        case nonConsumable
        /// A period that the developer tracks.
        case nonRenewing
        /// Renews until it is cancelled.
        case autoRenewable(SubscriptionTerms)
    }

    /// The product's identifier.
    public let productId: String

    /// The name for the developer only.
    public let referenceName: String

    /// The price, thousandths of the currency unit of the customer's storefront.
    public let price: Int64

    /// Whether the product supports Family Sharing.
    public let isFamilyShareable: Bool

    /// What kind of product it is.
    public internal(set) var kind: Kind

    /// The offer codes, for products other than subscriptions.
    public let codeOffers: [OneTimeCodeOfferPlan]

    /// The terms, for auto-renewable subscriptions.
    public var terms: SubscriptionTerms? {
        if case .autoRenewable(let terms) = kind { terms } else { nil }
    }
}

/// The terms of an auto-renewable subscription.
public struct SubscriptionTerms: Hashable, Sendable {
    /// The group; an account has at most one live subscription in it.
    public let groupId: String

    /// The level of service in the group; 1 is the highest.
    public let level: Int

    /// How long a period lasts.
    public internal(set) var period: CalendarPeriod

    /// The offer for customers new to the group.
    public internal(set) var introductoryOffer: OfferTerms?

    /// The promotional offers, which apps request with the developer's signature.
    public internal(set) var promotionalOffers: [PromotionalOfferPlan]

    /// The offers that customers redeem with a code.
    public internal(set) var codeOffers: [CodeOfferPlan]

    /// The offers for former paying customers.
    public internal(set) var winBackOffers: [WinBackOfferPlan]
}

extension Catalog {
    /// The maximum number of products in a message.
    private static let namedProductsMax = 20

    /// States that the product does not exist, and lists the existing ones.
    func message(lacking productId: String) -> String {
        let names = productIds.prefix(Self.namedProductsMax).joined(separator: ", ")
        let more = productIds.count > Self.namedProductsMax ? ", and more (GET /_store/catalog)" : ""
        return "The catalogue has no product \"\(productId)\"; it has \(names.isEmpty ? "none" : names)\(more)."
    }
}

extension LocalAppStore {
    /// A product of the catalogue.
    ///
    /// - Throws: `product_not_found`.
    func catalogProduct(_ productId: String, path: String? = "productId") throws(StoreError) -> CatalogProduct {
        if let product = catalog.products[productId] { return product }
        throw StoreError(.productNotFound, catalog.message(lacking: productId), path: path)
    }
}
