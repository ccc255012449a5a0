// Generated from Schema/consumption.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The body of Send Consumption Information, an answer to a `CONSUMPTION_REQUEST` notification within 12 hours.
///
/// - Source: App Store Server API, ConsumptionRequest, since 1.19; each property is the field of the same name.
public struct ConsumptionRequest: JSONRepresentable {
    /// Whether the customer consented to sharing these data; Apple accepts only true.
    public var customerConsented: Bool
    /// Whether the customer received a working purchase.
    public var deliveryStatus: DeliveryStatus
    /// Whether the customer could try it before.
    public var sampleContentProvided: Bool
    /// The consumed part, in thousandths of a percent, 0 to ``consumptionPercentageMax``; not for auto-renewable
    /// subscriptions.
    public var consumptionPercentage: Int32?
    /// Your preference for Apple's decision.
    public var refundPreference: RefundPreference?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        customerConsented: Bool,
        deliveryStatus: DeliveryStatus,
        sampleContentProvided: Bool,
        consumptionPercentage: Int32? = nil,
        refundPreference: RefundPreference? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.customerConsented = customerConsented
        self.deliveryStatus = deliveryStatus
        self.sampleContentProvided = sampleContentProvided
        self.consumptionPercentage = consumptionPercentage
        self.refundPreference = refundPreference
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        customerConsented = try fields.require("customerConsented")
        deliveryStatus = try fields.require("deliveryStatus")
        sampleContentProvided = try fields.require("sampleContentProvided")
        consumptionPercentage = try fields.optional("consumptionPercentage")
        refundPreference = try fields.optional("refundPreference")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("customerConsented", customerConsented)
        object.put("deliveryStatus", deliveryStatus)
        object.put("sampleContentProvided", sampleContentProvided)
        object.put("consumptionPercentage", consumptionPercentage)
        object.put("refundPreference", refundPreference)
        object.put(unknownFields: unknownFields)
        return object
    }
}
