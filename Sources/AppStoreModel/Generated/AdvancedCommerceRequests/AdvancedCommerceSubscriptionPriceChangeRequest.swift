// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Changes prices from the next renewal on.
///
/// Send it at least ``AdvancedCommerceLimits/priceChangeLeadHours`` hours before the renewal, and not during billing
/// retry.
///
/// - Source: Advanced Commerce API, SubscriptionPriceChangeRequest; each property is the field of the same name.
public struct AdvancedCommerceSubscriptionPriceChangeRequest: JSONRepresentable {
    /// Identifies the request.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The items with their new prices, at least one.
    public var items: [AdvancedCommerceSubscriptionPriceChangeItem]
    /// The currency of the prices, ISO 4217.
    public var currency: String?
    /// The customer's storefront, ISO 3166-1 alpha-3.
    public var storefront: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        requestInfo: AdvancedCommerceRequestInfo,
        items: [AdvancedCommerceSubscriptionPriceChangeItem],
        currency: String? = nil,
        storefront: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.requestInfo = requestInfo
        self.items = items
        self.currency = currency
        self.storefront = storefront
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        requestInfo = try fields.require("requestInfo")
        items = try fields.require("items")
        currency = try fields.optional("currency")
        storefront = try fields.optional("storefront")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("requestInfo", requestInfo)
        object.put("items", items)
        object.put("currency", currency)
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
        for element in items { try element.checkFields() }
        try FieldRule.check(items.map(\.sku), repeated: .itemCannotBeSpecifiedMultipleTimes)
    }
}
