import AppStoreModel
import AppStoreSigning

// The format of offers in a configuration file. Xcode's files define introductory, promotional and code offers. For
// win-back offers they define only the name of the list, so the conditions use the names of the App Store Connect API.

extension Catalog {
    /// The introductory offer of a subscription: `introductoryOffer`, or the first of `introductoryOffers`.
    static func introductoryOffer(
        _ subscription: CatalogFields,
        period: CalendarPeriod
    ) throws(CatalogError) -> OfferTerms? {
        if let fields = try subscription.inner("introductoryOffer") {
            return try offerTerms(fields, productPeriod: period)
        }
        guard let first = try subscription.objects("introductoryOffers").first else { return nil }
        return try offerTerms(first, productPeriod: period)
    }

    /// The promotional offers of a subscription.
    static func promotionalOffers(
        _ subscription: CatalogFields,
        period: CalendarPeriod
    ) throws(CatalogError) -> [PromotionalOfferPlan] {
        var offers: [PromotionalOfferPlan] = []
        for fields in try subscription.objects("adHocOffers") {
            let offerId = try fields.filledString("offerID")
            if offers.contains(where: { $0.offerId == offerId }) {
                throw duplicate(offerId, path: fields.path(to: "offerID"))
            }
            offers.append(
                PromotionalOfferPlan(offerId: offerId, terms: try offerTerms(fields, productPeriod: period))
            )
        }
        return offers
    }

    /// The offers of a subscription that have codes.
    static func codeOffers(
        _ subscription: CatalogFields,
        period: CalendarPeriod
    ) throws(CatalogError) -> [CodeOfferPlan] {
        var offers: [CodeOfferPlan] = []
        for fields in try subscription.objects("codeOffers") {
            let name = try fields.filledString("referenceName")
            if offers.contains(where: { $0.referenceName == name }) {
                throw duplicate(name, path: fields.path(to: "referenceName"))
            }
            offers.append(
                CodeOfferPlan(
                    referenceName: name,
                    terms: try offerTerms(fields, productPeriod: period),
                    eligibility: try eligibility(fields),
                    isStackable: try fields.bool("isStackable") ?? false
                )
            )
        }
        return offers
    }

    /// The offer codes of a product other than a subscription.
    static func oneTimeCodeOffers(_ product: CatalogFields) throws(CatalogError) -> [OneTimeCodeOfferPlan] {
        var offers: [OneTimeCodeOfferPlan] = []
        for fields in try product.objects("codeOffers") {
            let name = try fields.filledString("referenceName")
            if offers.contains(where: { $0.referenceName == name }) {
                throw duplicate(name, path: fields.path(to: "referenceName"))
            }
            let isFree = try fields.string("paymentMode") == OfferTerms.PaymentMode.free.rawValue
            let price = isFree ? 0 : try fields.price("displayPrice")
            offers.append(OneTimeCodeOfferPlan(referenceName: name, price: price))
        }
        return offers
    }

    /// The win-back offers of a subscription.
    static func winBackOffers(
        _ subscription: CatalogFields,
        period: CalendarPeriod
    ) throws(CatalogError) -> [WinBackOfferPlan] {
        var offers: [WinBackOfferPlan] = []
        for fields in try subscription.objects("winbackOffers") {
            let since = try fields.inner("customerEligibilityTimeSinceLastSubscribedInMonths")
            offers.append(
                WinBackOfferPlan(
                    offerId: try fields.filledString("offerID"),
                    productId: try subscription.filledString("productID"),
                    terms: try offerTerms(fields, productPeriod: period),
                    paidMonthsMin: try fields.months("customerEligibilityPaidSubscriptionDurationInMonths") ?? 0,
                    monthsSinceEndMin: try since?.months("minimum") ?? 0,
                    monthsSinceEndMax: try since?.months("maximum"),
                    monthsBetweenOffersMin: try fields.months("customerEligibilityWaitBetweenOffersInMonths") ?? 0,
                    startDate: try fields.optionalDay("startDate"),
                    endDate: try fields.optionalDay("endDate"),
                    priority: try priority(fields)
                )
            )
        }
        return offers
    }

    /// The key that signs the file's promotional offers, if Xcode created one.
    static func offersKey(_ root: CatalogFields) throws(CatalogError) -> OffersKey? {
        guard let fields = try root.inner("subscriptionOffersKeyPair") else { return nil }
        let key = OffersKey(keyId: try fields.filledString("id"), privateKey: try fields.filledString("privateKey"))
        guard key.publicKey != nil else {
            throw fields.wrongType("privateKey", expected: "a P-256 private key, PKCS #8 in base64")
        }
        return key
    }

    private static func offerTerms(
        _ fields: CatalogFields,
        productPeriod: CalendarPeriod
    ) throws(CatalogError) -> OfferTerms {
        guard let mode = OfferTerms.PaymentMode(rawValue: try fields.filledString("paymentMode")) else {
            throw fields.wrongType("paymentMode", expected: "free, payAsYouGo or payUpFront")
        }
        let period = try fields.period("subscriptionPeriod")
        guard mode != .payAsYouGo || period.hasSameLength(as: productPeriod) else {
            throw CatalogError(
                .periodInvalid,
                message: "An offer paid as you go has the period of its product, \(productPeriod).",
                path: fields.path(to: "subscriptionPeriod")
            )
        }
        return OfferTerms(
            paymentMode: mode,
            period: period,
            numberOfPeriods: try fields.optionalInteger("numberOfPeriods", in: 1...12) ?? 1,
            price: mode == .free ? 0 : try fields.price("displayPrice")
        )
    }

    private static func eligibility(_ fields: CatalogFields) throws(CatalogError) -> Set<CodeOfferPlan.Customer> {
        guard let names = try fields.strings("eligibility") else { return Set(CodeOfferPlan.Customer.allCases) }
        var customers: Set<CodeOfferPlan.Customer> = []
        for name in names {
            guard let customer = CodeOfferPlan.Customer(rawValue: name) else {
                throw fields.wrongType("eligibility", expected: "a list of new, existing and expired")
            }
            customers.insert(customer)
        }
        return customers
    }

    private static func priority(_ fields: CatalogFields) throws(CatalogError) -> WinBackOfferPlan.Priority {
        guard let name = try fields.string("priority") else { return .normal }
        guard let priority = WinBackOfferPlan.Priority(rawValue: name.lowercased()) else {
            throw fields.wrongType("priority", expected: "HIGH or NORMAL")
        }
        return priority
    }
}

/// The most months that a win-back offer's eligibility may name.
private let monthsMax = 120

extension JSONMembers<CatalogFieldRules> {
    fileprivate func months(_ key: String) throws(CatalogError) -> Int? {
        try optionalInteger(key, in: 0...monthsMax)
    }

    /// The first millisecond of a day written `2026-01-31`, since 1970.
    fileprivate func optionalDay(_ key: String) throws(CatalogError) -> Int64? {
        guard let text = try string(key) else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int(Substring($0)) }
        guard parts.map(\.count) == [4, 2, 2], numbers.count == 3, (1...12).contains(numbers[1]),
            (1...CivilDate.length(ofMonth: numbers[1], year: numbers[0])).contains(numbers[2])
        else { throw wrongType(key, expected: "a day such as \"2026-01-31\"") }
        let day = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
        return Int64(day.daysSinceEpoch) * Milliseconds.day
    }
}

/// The key pair that Xcode writes into a configuration file, for version 1 signatures of promotional offers.
struct OffersKey: Hashable, Sendable, Codable {
    private static let lineLength = 64

    let keyId: String
    /// PKCS #8 in base64.
    let privateKey: String

    /// The verification key; `nil` if the text is not a key.
    var publicKey: InAppPurchasePublicKey? {
        var lines = ["-----BEGIN PRIVATE KEY-----"]
        var rest = privateKey[...]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(Self.lineLength)))
            rest = rest.dropFirst(Self.lineLength)
        }
        lines.append("-----END PRIVATE KEY-----")
        // The key has no issuer, so it can only make version 1 signatures.
        let pem = lines.joined(separator: "\n")
        do { return try InAppPurchaseKey(pem: pem, keyId: keyId, issuerId: "").publicKey } catch { return nil }
    }
}
