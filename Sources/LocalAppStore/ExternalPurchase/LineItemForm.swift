import AppStoreModel

/// What a line item of a report may and must have, by the kind of thing it tells of.
///
/// - Source: External Purchase Server API, OneTimeBuyLineItem, SubscriptionBuyLineItem, RefundLineItem.
struct LineItemForm {
    private static let shared = [
        "lineItemId", "creationDate", "eventType", "pricingCurrency", "reportingCurrency", "amountTaxExclusive",
        "amountTaxInclusive", "netAmountTaxExclusive", "taxAmount", "taxCountry",
    ]
    private static let product = ["productType", "productIdentifier", "quantity"]
    private static let period = [
        "subscriptionEvent", "subscriptionStartDate", "subscriptionEndDate", "subscriptionDaysOfPaidService",
    ]
    private static let reference = "referenceLineItemId"

    /// The members that must be there, in the order in which their absence is told.
    let required: [String]
    /// The members of other kinds, which this one must not have.
    let forbidden: [String]

    static let oneTimeBuy = LineItemForm(required: shared + product, forbidden: [reference] + period)
    static let subscriptionBuy = LineItemForm(required: shared + product + period, forbidden: [])
    static let refund = LineItemForm(required: shared + [reference], forbidden: product + period)

    /// The form of a line item; `nil` while it does not say what it is.
    init?(of item: JSONObject) {
        switch (item["eventType"]?.stringValue, item["productType"]?.stringValue) {
        case ("REFUND", _): self = .refund
        case ("BUY", "ONE_TIME_BUY"): self = .oneTimeBuy
        case ("BUY", "SUBSCRIPTION"): self = .subscriptionBuy
        default: return nil
        }
    }

    private init(required: [String], forbidden: [String]) {
        self.required = required
        self.forbidden = forbidden
    }

    /// The members that hold one of Apple's words, with those words.
    static let allowedValues: [(String, [String])] = [
        ("eventType", ExternalPurchaseEventType.documented.map(\.rawValue)),
        ("productType", ExternalPurchaseProductType.documented.map(\.rawValue)),
        ("subscriptionEvent", ExternalPurchaseSubscriptionEvent.documented.map(\.rawValue)),
    ]
}

extension JSONObject {
    /// Whether the member is there and not `null`.
    func has(_ key: String) -> Bool { self[key].map { !$0.isNull } ?? false }
}
