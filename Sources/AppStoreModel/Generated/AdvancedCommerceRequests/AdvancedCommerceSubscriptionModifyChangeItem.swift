// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// An item that replaces another one in a subscription.
///
/// - Source: Advanced Commerce API, SubscriptionModifyChangeItem; each property is the field of the same name.
public struct AdvancedCommerceSubscriptionModifyChangeItem: JSONRepresentable {
    /// The item to replace.
    public var currentSKU: String
    /// The new item, at most ``AdvancedCommerceLimits/skuCharactersMax`` characters.
    public var sku: String
    /// The description, at most ``AdvancedCommerceLimits/descriptionCharactersMax`` characters.
    public var description: String
    /// Its name for customers, at most ``AdvancedCommerceLimits/displayNameCharactersMax`` characters.
    public var displayName: String
    /// Its price, in thousandths of the currency's unit.
    public var price: Int64
    /// When the change takes effect.
    public var effective: AdvancedCommerceEffective
    /// The kind of change.
    public var reason: AdvancedCommerceReason
    /// The offer that applies.
    public var offer: AdvancedCommerceOffer?
    /// The price until the current period ends, in thousandths of the currency's unit.
    public var proratedPrice: Int64?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        currentSKU: String,
        sku: String,
        description: String,
        displayName: String,
        price: Int64,
        effective: AdvancedCommerceEffective,
        reason: AdvancedCommerceReason,
        offer: AdvancedCommerceOffer? = nil,
        proratedPrice: Int64? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.currentSKU = currentSKU
        self.sku = sku
        self.description = description
        self.displayName = displayName
        self.price = price
        self.effective = effective
        self.reason = reason
        self.offer = offer
        self.proratedPrice = proratedPrice
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        currentSKU = try fields.require("currentSKU")
        sku = try fields.require("SKU")
        description = try fields.require("description")
        displayName = try fields.require("displayName")
        price = try fields.require("price")
        effective = try fields.require("effective")
        reason = try fields.require("reason")
        offer = try fields.optional("offer")
        proratedPrice = try fields.optional("proratedPrice")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("currentSKU", currentSKU)
        object.put("SKU", sku)
        object.put("description", description)
        object.put("displayName", displayName)
        object.put("price", price)
        object.put("effective", effective)
        object.put("reason", reason)
        object.put("offer", offer)
        object.put("proratedPrice", proratedPrice)
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
        try FieldRule.check(effective, unknown: .malformedPayload)
        try FieldRule.check(reason, unknown: .invalidChangeReason)
        try FieldRule.check(proratedPrice, negative: .negativeProratedPrice)
    }
}
