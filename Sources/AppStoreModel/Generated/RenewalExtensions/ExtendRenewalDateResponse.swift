// Generated from Schema/renewal-extensions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The answer to Extend a Subscription Renewal Date.
///
/// - Source: App Store Server API, ExtendRenewalDateResponse; each property is the field of the same name.
public struct ExtendRenewalDateResponse: JSONRepresentable {
    /// The subscription.
    public var originalTransactionId: String
    /// Identifies the subscription's period across devices.
    public var webOrderLineItemId: String?
    /// Whether the renewal date was extended.
    public var success: Bool
    /// When the period ends now, in milliseconds since 1970 (UTC); when it was extended.
    public var effectiveDate: Int64?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        originalTransactionId: String,
        success: Bool,
        webOrderLineItemId: String? = nil,
        effectiveDate: Int64? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.originalTransactionId = originalTransactionId
        self.success = success
        self.webOrderLineItemId = webOrderLineItemId
        self.effectiveDate = effectiveDate
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        originalTransactionId = try fields.require("originalTransactionId")
        webOrderLineItemId = try fields.optional("webOrderLineItemId")
        success = try fields.require("success")
        effectiveDate = try fields.optionalDate("effectiveDate")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("originalTransactionId", originalTransactionId)
        object.put("webOrderLineItemId", webOrderLineItemId)
        object.put("success", success)
        object.put("effectiveDate", effectiveDate)
        object.put(unknownFields: unknownFields)
        return object
    }
}
