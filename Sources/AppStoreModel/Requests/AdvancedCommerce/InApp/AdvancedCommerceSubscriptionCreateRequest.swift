/// Sells a subscription.
///
/// The app gives it, signed, to StoreKit.
///
/// - Source: Advanced Commerce API, SubscriptionCreateRequest; each property is the field of the same name.
public struct AdvancedCommerceSubscriptionCreateRequest: AdvancedCommerceInAppRequest {
    /// What the request asks for.
    public var operation: AdvancedCommerceOperation
    /// The version of the request's format.
    public var version: String
    /// Identifies the request.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The currency of the prices, ISO 4217.
    public var currency: String
    /// How it is taxed, a tax code of Apple's list.
    public var taxCode: String
    /// How the subscription is presented; name and description are both there.
    public var descriptors: AdvancedCommerceDescriptors
    /// What it consists of, at least one item.
    public var items: [AdvancedCommerceSubscriptionCreateItem]
    /// How long a period is.
    public var period: AdvancedCommercePeriod
    /// A transaction of the subscription that this one follows.
    public var previousTransactionId: String?
    /// The customer's storefront, ISO 3166-1 alpha-3.
    public var storefront: String?
    /// What this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        requestInfo: AdvancedCommerceRequestInfo,
        currency: String,
        taxCode: String,
        descriptors: AdvancedCommerceDescriptors,
        items: [AdvancedCommerceSubscriptionCreateItem],
        period: AdvancedCommercePeriod,
        operation: AdvancedCommerceOperation = .createSubscription,
        version: String = AdvancedCommerceLimits.requestVersion,
        previousTransactionId: String? = nil,
        storefront: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.operation = operation
        self.version = version
        self.requestInfo = requestInfo
        self.currency = currency
        self.taxCode = taxCode
        self.descriptors = descriptors
        self.items = items
        self.period = period
        self.previousTransactionId = previousTransactionId
        self.storefront = storefront
        self.unknownFields = unknownFields
    }

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        operation = try fields.require("operation")
        version = try fields.require("version")
        requestInfo = try fields.require("requestInfo")
        currency = try fields.require("currency")
        taxCode = try fields.require("taxCode")
        descriptors = try fields.require("descriptors")
        items = try fields.require("items")
        period = try fields.require("period")
        previousTransactionId = try fields.optional("previousTransactionId")
        storefront = try fields.optional("storefront")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("operation", operation)
        object.put("version", version)
        object.put("requestInfo", requestInfo)
        object.put("currency", currency)
        object.put("taxCode", taxCode)
        object.put("descriptors", descriptors)
        object.put("items", items)
        object.put("period", period)
        object.put("previousTransactionId", previousTransactionId)
        object.put("storefront", storefront)
        object.put(unknownFields: unknownFields)
        return object
    }
}
