// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Changes the names and tax codes of a subscription and its items, not their prices.
///
/// - Source: Advanced Commerce API, SubscriptionChangeMetadataRequest; each property is the field of the same name.
public struct AdvancedCommerceSubscriptionChangeMetadataRequest: JSONRepresentable {
    /// Identifies the request.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The new descriptors of the subscription.
    public var descriptors: AdvancedCommerceSubscriptionChangeMetadataDescriptors?
    /// The items that change.
    public var items: [AdvancedCommerceSubscriptionChangeMetadataItem]?
    /// The new tax code, from Apple's list.
    public var taxCode: String?
    /// The customer's storefront, ISO 3166-1 alpha-3.
    public var storefront: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        requestInfo: AdvancedCommerceRequestInfo,
        descriptors: AdvancedCommerceSubscriptionChangeMetadataDescriptors? = nil,
        items: [AdvancedCommerceSubscriptionChangeMetadataItem]? = nil,
        taxCode: String? = nil,
        storefront: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.requestInfo = requestInfo
        self.descriptors = descriptors
        self.items = items
        self.taxCode = taxCode
        self.storefront = storefront
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        requestInfo = try fields.require("requestInfo")
        descriptors = try fields.optional("descriptors")
        items = try fields.optional("items")
        taxCode = try fields.optional("taxCode")
        storefront = try fields.optional("storefront")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("requestInfo", requestInfo)
        object.put("descriptors", descriptors)
        object.put("items", items)
        object.put("taxCode", taxCode)
        object.put("storefront", storefront)
        object.put(unknownFields: unknownFields)
        return object
    }

    /// Checks the values of the fields, one by one.
    ///
    /// - Throws: Apple's error for the first value that it refuses.
    package func checkFields() throws(AppStoreServerAPIError) {
        try requestInfo.checkFields()
        try descriptors?.checkFields()
        try FieldRule.check(items, empty: .atLeastOneItem)
        for element in items ?? [] { try element.checkFields() }
        try FieldRule.check(items?.map(\.currentSKU), repeated: .itemCannotBeSpecifiedMultipleTimes)
        try FieldRule.check(taxCode, empty: .invalidTaxProductCode)
    }
}
