// Generated from Schema/advanced-commerce.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// An offer of an Advanced Commerce item.
///
/// - Source: Advanced Commerce API, offer; each property is the field of the same name.
public struct AdvancedCommerceOffer: JSONRepresentable {
    /// The length of one offer period.
    public var period: AdvancedCommerceOfferPeriod?
    /// The number of periods, 1 to 12.
    public var periodCount: Int32?
    /// Its price, in thousandths of the currency's unit.
    public var price: Int64?
    /// Its purpose.
    public var reason: AdvancedCommerceOfferReason?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        period: AdvancedCommerceOfferPeriod? = nil,
        periodCount: Int32? = nil,
        price: Int64? = nil,
        reason: AdvancedCommerceOfferReason? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.period = period
        self.periodCount = periodCount
        self.price = price
        self.reason = reason
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        period = try fields.optional("period")
        periodCount = try fields.optional("periodCount")
        price = try fields.optional("price")
        reason = try fields.optional("reason")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("period", period)
        object.put("periodCount", periodCount)
        object.put("price", price)
        object.put("reason", reason)
        object.put(unknownFields: unknownFields)
        return object
    }
}
