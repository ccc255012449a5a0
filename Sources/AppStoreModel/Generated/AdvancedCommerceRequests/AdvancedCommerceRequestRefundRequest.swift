// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Requests a refund of items of a transaction.
///
/// - Source: Advanced Commerce API, RequestRefundRequest; each property is the field of the same name.
public struct AdvancedCommerceRequestRefundRequest: JSONRepresentable {
    /// Identifies the request.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The items to refund, at least one.
    public var items: [AdvancedCommerceRequestRefundItem]
    /// Whether Apple requests consumption information (a `CONSUMPTION_REQUEST` notification) before it decides.
    public var refundRiskingPreference: Bool
    /// The currency of the prices, ISO 4217.
    public var currency: String?
    /// The customer's storefront, ISO 3166-1 alpha-3.
    public var storefront: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        requestInfo: AdvancedCommerceRequestInfo,
        items: [AdvancedCommerceRequestRefundItem],
        refundRiskingPreference: Bool,
        currency: String? = nil,
        storefront: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.requestInfo = requestInfo
        self.items = items
        self.refundRiskingPreference = refundRiskingPreference
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
        refundRiskingPreference = try fields.require("refundRiskingPreference")
        currency = try fields.optional("currency")
        storefront = try fields.optional("storefront")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("requestInfo", requestInfo)
        object.put("items", items)
        object.put("refundRiskingPreference", refundRiskingPreference)
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
