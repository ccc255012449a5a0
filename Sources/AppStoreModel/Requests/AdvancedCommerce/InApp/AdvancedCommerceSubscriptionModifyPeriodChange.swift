/// The new length of the periods of a subscription.
///
/// - Source: Advanced Commerce API, SubscriptionModifyPeriodChange; each property is the field of the same name.
public struct AdvancedCommerceSubscriptionModifyPeriodChange: JSONRepresentable {
    /// How long a period is from then on.
    public var period: AdvancedCommercePeriod
    /// When the change happens.
    public var effective: AdvancedCommerceEffective
    /// What this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        period: AdvancedCommercePeriod,
        effective: AdvancedCommerceEffective,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.period = period
        self.effective = effective
        self.unknownFields = unknownFields
    }

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        period = try fields.require("period")
        effective = try fields.require("effective")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("period", period)
        object.put("effective", effective)
        object.put(unknownFields: unknownFields)
        return object
    }
}
