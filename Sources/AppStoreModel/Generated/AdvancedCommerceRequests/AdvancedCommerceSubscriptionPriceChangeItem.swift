// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The new price of an item.
///
/// - Source: Advanced Commerce API, SubscriptionPriceChangeItem; each property is the field of the same name.
public struct AdvancedCommerceSubscriptionPriceChangeItem: JSONRepresentable {
    /// The developer's SKU of the item, at most ``AdvancedCommerceLimits/skuCharactersMax`` characters.
    public var sku: String
    /// The new price, in thousandths of the currency's unit.
    public var price: Int64
    /// Items that depend on this one; each depends on one item only, and none in turn on a dependent one.
    public var dependentSKUs: [String]?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(sku: String, price: Int64, dependentSKUs: [String]? = nil, unknownFields: JSONObject = JSONObject()) {
        self.sku = sku
        self.price = price
        self.dependentSKUs = dependentSKUs
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        sku = try fields.require("SKU")
        price = try fields.require("price")
        dependentSKUs = try fields.optional("dependentSKUs")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("SKU", sku)
        object.put("price", price)
        object.put("dependentSKUs", dependentSKUs)
        object.put(unknownFields: unknownFields)
        return object
    }

    /// Checks the values of the fields, one by one.
    ///
    /// - Throws: Apple's error for the first value that it refuses.
    package func checkFields() throws(AppStoreServerAPIError) {
        try FieldRule.check(
            sku,
            empty: .invalidSKU,
            long: .skuLengthExceeded,
            max: AdvancedCommerceLimits.skuCharactersMax
        )
        try FieldRule.check(price, negative: .negativePrice)
    }
}
