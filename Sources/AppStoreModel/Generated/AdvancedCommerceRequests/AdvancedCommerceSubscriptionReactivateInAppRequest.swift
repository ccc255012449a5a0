// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Turns the renewal of a subscription on again.
///
/// The developer's server signs it, and the app passes it to StoreKit.
///
/// - Source: Advanced Commerce API, SubscriptionReactivateInAppRequest; each property is the field of the same name.
public struct AdvancedCommerceSubscriptionReactivateInAppRequest: AdvancedCommerceInAppRequest {
    /// The operation of the request.
    public var operation: AdvancedCommerceOperation
    /// The version of the request's format.
    public var version: String
    /// Identifies the request.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// A transaction of the subscription.
    public var transactionId: String
    /// The renewing items; all if absent.
    public var items: [AdvancedCommerceSubscriptionReactivateItem]?
    /// The customer's storefront, ISO 3166-1 alpha-3.
    public var storefront: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        requestInfo: AdvancedCommerceRequestInfo,
        transactionId: String,
        operation: AdvancedCommerceOperation = .reactivateSubscription,
        version: String = AdvancedCommerceLimits.requestVersion,
        items: [AdvancedCommerceSubscriptionReactivateItem]? = nil,
        storefront: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.requestInfo = requestInfo
        self.transactionId = transactionId
        self.operation = operation
        self.version = version
        self.items = items
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
        transactionId = try fields.require("transactionId")
        items = try fields.optional("items")
        storefront = try fields.optional("storefront")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("operation", operation)
        object.put("version", version)
        object.put("requestInfo", requestInfo)
        object.put("transactionId", transactionId)
        object.put("items", items)
        object.put("storefront", storefront)
        object.put(unknownFields: unknownFields)
        return object
    }

    /// Checks the values of the fields, one by one.
    ///
    /// - Throws: Apple's error for the first value that it refuses.
    package func checkFields() throws(AppStoreServerAPIError) {
        try requestInfo.checkFields()
        try FieldRule.check(items, empty: .atLeastOneItem)
        for element in items ?? [] { try element.checkFields() }
        try FieldRule.check(items?.map(\.sku), repeated: .itemCannotBeSpecifiedMultipleTimes)
    }
}
