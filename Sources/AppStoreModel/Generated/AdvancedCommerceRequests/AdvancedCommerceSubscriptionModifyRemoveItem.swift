// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// An item to remove from a subscription.
///
/// - Source: Advanced Commerce API, SubscriptionModifyRemoveItem; each property is the field of the same name.
public struct AdvancedCommerceSubscriptionModifyRemoveItem: JSONRepresentable {
    /// The developer's SKU of the item, at most ``AdvancedCommerceLimits/skuCharactersMax`` characters.
    public var sku: String
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(sku: String, unknownFields: JSONObject = JSONObject()) {
        self.sku = sku
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        sku = try fields.require("SKU")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("SKU", sku)
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
    }
}
