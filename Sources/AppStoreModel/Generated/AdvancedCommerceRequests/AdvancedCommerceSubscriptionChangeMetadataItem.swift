// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The new metadata of an item.
///
/// - Source: Advanced Commerce API, SubscriptionChangeMetadataItem; each property is the field of the same name.
public struct AdvancedCommerceSubscriptionChangeMetadataItem: JSONRepresentable {
    /// The current SKU of the item.
    public var currentSKU: String
    /// When the change takes effect.
    public var effective: AdvancedCommerceEffective
    /// Its new SKU, at most ``AdvancedCommerceLimits/skuCharactersMax`` characters.
    public var sku: String?
    /// The new description, at most ``AdvancedCommerceLimits/descriptionCharactersMax`` characters.
    public var description: String?
    /// Its new name, at most ``AdvancedCommerceLimits/displayNameCharactersMax`` characters.
    public var displayName: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        currentSKU: String,
        effective: AdvancedCommerceEffective,
        sku: String? = nil,
        description: String? = nil,
        displayName: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.currentSKU = currentSKU
        self.effective = effective
        self.sku = sku
        self.description = description
        self.displayName = displayName
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        currentSKU = try fields.require("currentSKU")
        effective = try fields.require("effective")
        sku = try fields.optional("SKU")
        description = try fields.optional("description")
        displayName = try fields.optional("displayName")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("currentSKU", currentSKU)
        object.put("effective", effective)
        object.put("SKU", sku)
        object.put("description", description)
        object.put("displayName", displayName)
        object.put(unknownFields: unknownFields)
        return object
    }

    /// Checks the values of the fields, one by one.
    ///
    /// - Throws: Apple's error for the first value that it refuses.
    package func checkFields() throws(AppStoreServerAPIError) {
        try FieldRule.check(effective, unknown: .malformedPayload)
        try FieldRule.check(
            sku,
            empty: .invalidSKU,
            long: .skuLengthExceeded,
            max: AdvancedCommerceLimits.skuCharactersMax
        )
        try FieldRule.check(
            description,
            empty: .invalidDescription,
            long: .descriptionLengthExceeded,
            max: AdvancedCommerceLimits.descriptionCharactersMax
        )
        try FieldRule.check(
            displayName,
            empty: .invalidDisplayName,
            long: .displayNameLengthExceeded,
            max: AdvancedCommerceLimits.displayNameCharactersMax
        )
    }
}
