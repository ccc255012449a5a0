import AppStoreModel

extension Catalog {
    /// The supported format versions of Xcode's StoreKit configuration files.
    private static let majorVersions: ClosedRange<Int64> = 2...4

    /// The subscription periods that Apple supports.
    private static let soldPeriods = ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"].compactMap(
        CalendarPeriod.init(iso8601:)
    )

    /// Reads an Xcode StoreKit configuration (`.storekit`), format version 2, 3 or 4.
    ///
    /// Unsupported members of the file are listed in ``ignored``.
    ///
    /// - Throws: `CatalogError` with the path of the invalid field.
    public init(storekit bytes: [UInt8]) throws(CatalogError) {
        let root: CatalogFields
        do {
            root = CatalogFields(try JSONParser.parseObject(bytes))
        } catch {
            let message = "The file is no JSON object: \(error)."
            throw CatalogError(.notJSON, message: message, path: nil)
        }
        try Self.checkVersion(root)
        var products: [CatalogProduct] = []
        for key in ["products", "nonRenewingSubscriptions"] {
            for fields in try root.objects(key) {
                products.append(try Self.oneTimeProduct(fields, isNonRenewing: key == "nonRenewingSubscriptions"))
            }
        }
        var groups: Set<String> = []
        for group in try root.objects("subscriptionGroups") {
            let groupId = try group.filledString("id")
            guard groups.insert(groupId).inserted else { throw Self.duplicate(groupId, path: group.path(to: "id")) }
            for (index, fields) in try group.objects("subscriptions").enumerated() {
                products.append(try Self.subscription(fields, groupId: groupId, position: index + 1))
            }
        }
        try Self.checkIdentifiersAreUnique(root)
        self.init(
            products: products,
            settings: try Self.settings(root),
            source: bytes,
            offersKey: try Self.offersKey(root),
            ignored: Self.ignoredPaths(in: root.object)
        )
    }

    private static func checkVersion(_ root: CatalogFields) throws(CatalogError) {
        let major = root.object["version"]?.objectValue?["major"]?.integerValue
        if let major, majorVersions.contains(major) { return }
        let found = major.map(String.init) ?? "none"
        throw CatalogError(
            .versionUnknown,
            message: "The file's format version must be 2, 3 or 4, not \(found). Save it with a current Xcode.",
            path: "version.major"
        )
    }

    private static func oneTimeProduct(
        _ fields: CatalogFields,
        isNonRenewing: Bool
    ) throws(CatalogError) -> CatalogProduct {
        let type = try fields.string("type") ?? (isNonRenewing ? "NonRenewingSubscription" : "")
        let kind: CatalogProduct.Kind
        switch (type, isNonRenewing) {
        case ("Consumable", false): kind = .consumable
        case ("NonConsumable", false): kind = .nonConsumable
        case ("NonRenewingSubscription", _): kind = .nonRenewing
        default: throw fields.wrongType("type", expected: "Consumable, NonConsumable or NonRenewingSubscription")
        }
        return try product(fields, kind: kind)
    }

    private static func subscription(
        _ fields: CatalogFields,
        groupId: String,
        position: Int
    ) throws(CatalogError) -> CatalogProduct {
        if let type = try fields.string("type"), type != "RecurringSubscription" {
            throw fields.wrongType("type", expected: "RecurringSubscription")
        }
        let periodKey = "recurringSubscriptionPeriod"
        let period = try fields.period(periodKey)
        guard soldPeriods.contains(where: period.hasSameLength) else {
            throw CatalogError(
                .periodInvalid,
                message: "Apple sells P1W, P1M, P2M, P3M, P6M and P1Y, not \(period).",
                path: fields.path(to: periodKey)
            )
        }
        let terms = SubscriptionTerms(
            groupId: groupId,
            level: try fields.optionalInteger("groupNumber", in: 1...1_000) ?? position,
            period: period,
            introductoryOffer: try introductoryOffer(fields, period: period),
            promotionalOffers: try promotionalOffers(fields, period: period),
            codeOffers: try codeOffers(fields, period: period),
            winBackOffers: try winBackOffers(fields, period: period)
        )
        return try product(fields, kind: .autoRenewable(terms))
    }

    private static func product(
        _ fields: CatalogFields,
        kind: CatalogProduct.Kind
    ) throws(CatalogError) -> CatalogProduct {
        CatalogProduct(
            productId: try fields.filledString("productID"),
            referenceName: try fields.string("referenceName") ?? "",
            price: try fields.price("displayPrice"),
            isFamilyShareable: try fields.bool("familyShareable") ?? false,
            kind: kind,
            codeOffers: try isSubscription(kind) ? [] : oneTimeCodeOffers(fields)
        )
    }

    private static func isSubscription(_ kind: CatalogProduct.Kind) -> Bool {
        if case .autoRenewable = kind { true } else { false }
    }

    private static func settings(_ root: CatalogFields) throws(CatalogError) -> StoreSettings {
        var settings = StoreSettings()
        guard let fields = try root.inner("settings") else { return settings }
        if let country = try fields.string("_storefront") {
            guard Storefront.named(country) != nil else {
                throw fields.wrongType("_storefront", expected: "a storefront the store knows, for example \"USA\"")
            }
            settings.defaultStorefront = country
        }
        // Xcode only knows on and off. On means 16 days, or 6 for weekly products.
        if try fields.bool("_billingGracePeriodEnabled") == true { settings.gracePeriod = .sixteenDays }
        return settings
    }

    private static func checkIdentifiersAreUnique(_ root: CatalogFields) throws(CatalogError) {
        var all = try root.objects("products") + root.objects("nonRenewingSubscriptions")
        for group in try root.objects("subscriptionGroups") { all += try group.objects("subscriptions") }
        var seen: Set<String> = []
        for fields in all {
            let productId = try fields.filledString("productID")
            guard seen.insert(productId).inserted else {
                throw duplicate(productId, path: fields.path(to: "productID"))
            }
        }
        var offers: Set<String> = []
        for fields in all {
            for offer in try fields.objects("winbackOffers") {
                let offerId = try offer.filledString("offerID")
                guard offers.insert(offerId).inserted else { throw duplicate(offerId, path: offer.path(to: "offerID")) }
            }
        }
    }

    static func duplicate(_ identifier: String, path: String) -> CatalogError {
        CatalogError(.duplicate, message: "\"\(identifier)\" is used twice; identifiers must be unique.", path: path)
    }
}
