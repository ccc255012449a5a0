// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Sells a subscription.
///
/// The developer's server signs it, and the app passes it to StoreKit.
///
/// - Source: Advanced Commerce API, SubscriptionCreateRequest; each property is the field of the same name.
public struct AdvancedCommerceSubscriptionCreateRequest: AdvancedCommerceInAppRequest {
    /// The operation of the request.
    public var operation: AdvancedCommerceOperation
    /// The version of the request's format.
    public var version: String
    /// Identifies the request.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The currency of the prices, ISO 4217.
    public var currency: String
    /// The tax code, from Apple's list.
    public var taxCode: String
    /// The descriptors of the subscription, with both name and description.
    public var descriptors: AdvancedCommerceDescriptors
    /// The items, at least one.
    public var items: [AdvancedCommerceSubscriptionCreateItem]
    /// The length of a period.
    public var period: AdvancedCommercePeriod
    /// A transaction of the previous subscription.
    public var previousTransactionId: String?
    /// The customer's storefront, ISO 3166-1 alpha-3.
    public var storefront: String?
    /// Fields that this version of the model does not know.
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
        self.requestInfo = requestInfo
        self.currency = currency
        self.taxCode = taxCode
        self.descriptors = descriptors
        self.items = items
        self.period = period
        self.operation = operation
        self.version = version
        self.previousTransactionId = previousTransactionId
        self.storefront = storefront
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
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

    /// Checks the values of the fields, one by one.
    ///
    /// - Throws: Apple's error for the first value that it refuses.
    package func checkFields() throws(AppStoreServerAPIError) {
        try requestInfo.checkFields()
        try FieldRule.check(taxCode, empty: .invalidTaxProductCode)
        try FieldRule.check(items, empty: .atLeastOneItem)
        for element in items { try element.checkFields() }
        try FieldRule.check(items.map(\.sku), repeated: .itemCannotBeSpecifiedMultipleTimes)
        try FieldRule.check(period, unknown: .invalidRenewalPeriod)
    }
}
