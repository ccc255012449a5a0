// Generated from Schema/advanced-commerce.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// A refund of an Advanced Commerce item.
///
/// - Source: Advanced Commerce API, refunds; each property is the field of the same name.
public struct AdvancedCommerceRefund: JSONRepresentable {
    /// The amount, in thousandths of the currency's unit.
    public var refundAmount: Int64?
    /// The date, in milliseconds since 1970 (UTC).
    public var refundDate: Int64?
    /// The reason.
    public var refundReason: AdvancedCommerceRefundReason?
    /// The type of the refund.
    public var refundType: AdvancedCommerceRefundType?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        refundAmount: Int64? = nil,
        refundDate: Int64? = nil,
        refundReason: AdvancedCommerceRefundReason? = nil,
        refundType: AdvancedCommerceRefundType? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.refundAmount = refundAmount
        self.refundDate = refundDate
        self.refundReason = refundReason
        self.refundType = refundType
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        refundAmount = try fields.optional("refundAmount")
        refundDate = try fields.optionalDate("refundDate")
        refundReason = try fields.optional("refundReason")
        refundType = try fields.optional("refundType")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("refundAmount", refundAmount)
        object.put("refundDate", refundDate)
        object.put("refundReason", refundReason)
        object.put("refundType", refundType)
        object.put(unknownFields: unknownFields)
        return object
    }
}
