// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The new length of the periods of a subscription.
///
/// - Source: Advanced Commerce API, SubscriptionModifyPeriodChange; each property is the field of the same name.
public struct AdvancedCommerceSubscriptionModifyPeriodChange: JSONRepresentable {
    /// The new length of a period.
    public var period: AdvancedCommercePeriod
    /// When the change takes effect.
    public var effective: AdvancedCommerceEffective
    /// Fields that this version of the model does not know.
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

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
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

    /// Checks the values of the fields, one by one.
    ///
    /// - Throws: Apple's error for the first value that it refuses.
    package func checkFields() throws(AppStoreServerAPIError) {
        try FieldRule.check(period, unknown: .invalidRenewalPeriod)
        try FieldRule.check(effective, unknown: .malformedPayload)
    }
}
