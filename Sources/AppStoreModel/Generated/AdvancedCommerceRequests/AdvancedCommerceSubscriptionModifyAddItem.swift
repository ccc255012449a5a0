// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// An item to add to a subscription.
///
/// - Source: Advanced Commerce API, SubscriptionModifyAddItem; each property is the field of the same name.
public struct AdvancedCommerceSubscriptionModifyAddItem: JSONRepresentable {
    /// The developer's SKU of the item, at most ``AdvancedCommerceLimits/skuCharactersMax`` characters.
    public var sku: String
    /// The description, at most ``AdvancedCommerceLimits/descriptionCharactersMax`` characters.
    public var description: String
    /// Its name for customers, at most ``AdvancedCommerceLimits/displayNameCharactersMax`` characters.
    public var displayName: String
    /// Its price, in thousandths of the currency's unit.
    public var price: Int64
    /// The price until the current period ends, in thousandths of the currency's unit.
    public var proratedPrice: Int64?
    /// The offer that applies.
    public var offer: AdvancedCommerceOffer?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        sku: String,
        description: String,
        displayName: String,
        price: Int64,
        proratedPrice: Int64? = nil,
        offer: AdvancedCommerceOffer? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.sku = sku
        self.description = description
        self.displayName = displayName
        self.price = price
        self.proratedPrice = proratedPrice
        self.offer = offer
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        sku = try fields.require("SKU")
        description = try fields.require("description")
        displayName = try fields.require("displayName")
        price = try fields.require("price")
        proratedPrice = try fields.optional("proratedPrice")
        offer = try fields.optional("offer")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("SKU", sku)
        object.put("description", description)
        object.put("displayName", displayName)
        object.put("price", price)
        object.put("proratedPrice", proratedPrice)
        object.put("offer", offer)
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
        try FieldRule.check(price, negative: .negativePrice)
        try FieldRule.check(proratedPrice, negative: .negativeProratedPrice)
    }
}
