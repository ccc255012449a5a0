/// One transaction of a report, or the correction of one.
///
/// - Source: External Purchase Server API, ExternalPurchaseReport, `lineItems`.
public enum ExternalPurchaseLineItem: JSONRepresentable {
    /// A one-time purchase.
    case oneTimeBuy(OneTimeBuyLineItem)
    /// A subscription event, or a payment.
    case subscriptionBuy(SubscriptionBuyLineItem)
    /// A refund or a chargeback.
    case refund(RefundLineItem)
    /// Fields that this version of the model does not know.
    case other(JSONObject)

    /// Decodes the object; `eventType` and `productType` determine its kind.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        let event: ExternalPurchaseEventType = try fields.require("eventType")
        let product: ExternalPurchaseProductType? = try fields.optional("productType")
        switch (event, product) {
        case (.refund, _): self = .refund(try RefundLineItem(json: json))
        case (.buy, .oneTimeBuy): self = .oneTimeBuy(try OneTimeBuyLineItem(json: json))
        case (.buy, .subscription): self = .subscriptionBuy(try SubscriptionBuyLineItem(json: json))
        default: self = .other(json)
        }
    }

    /// The object as JSON.
    public var json: JSONObject {
        switch self {
        case .oneTimeBuy(let item): item.json
        case .subscriptionBuy(let item): item.json
        case .refund(let item): item.json
        case .other(let object): object
        }
    }

    /// Checks Apple's rules, except those that depend on earlier line items.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/ruleBroken`` and the field.
    public func validate() throws(ModelError) {
        switch self {
        case .oneTimeBuy(let item): try item.validate()
        case .subscriptionBuy(let item): try item.validate()
        case .refund(let item): try item.validate()
        case .other: break
        }
    }
}
