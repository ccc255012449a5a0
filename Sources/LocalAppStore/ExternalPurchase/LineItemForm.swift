import AppStoreModel

/// The allowed and required members of a line item, by its kind.
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

    /// The required members, in the order in which their absence is reported.
    let required: [String]
    /// The members of other kinds, which this one must not have.
    let forbidden: [String]

    static let oneTimeBuy = LineItemForm(required: shared + product, forbidden: [reference] + period)
    static let subscriptionBuy = LineItemForm(required: shared + product + period, forbidden: [])
    static let refund = LineItemForm(required: shared + [reference], forbidden: product + period)

    /// The form of a line item; `nil` if its kind is unknown.
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

    /// The members with a fixed set of values, with these values.
    static let allowedValues: [(String, [String])] = [
        ("eventType", ExternalPurchaseEventType.documented.map(\.rawValue)),
        ("productType", ExternalPurchaseProductType.documented.map(\.rawValue)),
        ("subscriptionEvent", ExternalPurchaseSubscriptionEvent.documented.map(\.rawValue)),
    ]
}

extension JSONObject {
    /// Whether the member exists and is not `null`.
    func has(_ key: String) -> Bool { self[key].map { !$0.isNull } ?? false }
}
