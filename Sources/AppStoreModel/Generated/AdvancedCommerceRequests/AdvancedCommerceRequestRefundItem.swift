// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// An item to refund.
///
/// - Source: Advanced Commerce API, RequestRefundItem; each property is the field of the same name.
public struct AdvancedCommerceRequestRefundItem: JSONRepresentable {
    /// The developer's SKU of the item, at most ``AdvancedCommerceLimits/skuCharactersMax`` characters.
    public var sku: String
    /// The reason.
    public var refundReason: AdvancedCommerceRefundReason
    /// The type of the refund.
    public var refundType: AdvancedCommerceRefundType
    /// Whether the customer loses the item.
    public var revoke: Bool
    /// The amount, in thousandths of the currency's unit; only with ``AdvancedCommerceRefundType/custom``.
    public var refundAmount: Int64?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        sku: String,
        refundReason: AdvancedCommerceRefundReason,
        refundType: AdvancedCommerceRefundType,
        revoke: Bool,
        refundAmount: Int64? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.sku = sku
        self.refundReason = refundReason
        self.refundType = refundType
        self.revoke = revoke
        self.refundAmount = refundAmount
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        sku = try fields.require("SKU")
        refundReason = try fields.require("refundReason")
        refundType = try fields.require("refundType")
        revoke = try fields.require("revoke")
        refundAmount = try fields.optional("refundAmount")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("SKU", sku)
        object.put("refundReason", refundReason)
        object.put("refundType", refundType)
        object.put("revoke", revoke)
        object.put("refundAmount", refundAmount)
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
        try FieldRule.check(refundReason, unknown: .invalidRefundReason)
        try FieldRule.check(refundType, unknown: .invalidRefundType)
    }
}
