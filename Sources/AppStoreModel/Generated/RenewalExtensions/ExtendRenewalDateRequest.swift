// Generated from Schema/renewal-extensions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The body of Extend a Subscription Renewal Date.
///
/// - Source: App Store Server API, ExtendRenewalDateRequest; each property is the field of the same name.
public struct ExtendRenewalDateRequest: JSONRepresentable {
    /// The number of days, 1 to ``daysMax``.
    public var extendByDays: Int32
    /// The reason.
    public var extendReasonCode: ExtendReasonCode
    /// Identifies the order: any text of at most ``requestIdentifierLengthMax`` characters.
    ///
    /// - Source: App Store Server API, requestIdentifier: "The maximum string length is 128 characters."
    public var requestIdentifier: String
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        extendByDays: Int32,
        extendReasonCode: ExtendReasonCode,
        requestIdentifier: String,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.extendByDays = extendByDays
        self.extendReasonCode = extendReasonCode
        self.requestIdentifier = requestIdentifier
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        extendByDays = try fields.require("extendByDays")
        extendReasonCode = try fields.require("extendReasonCode")
        requestIdentifier = try fields.require("requestIdentifier")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("extendByDays", extendByDays)
        object.put("extendReasonCode", extendReasonCode)
        object.put("requestIdentifier", requestIdentifier)
        object.put(unknownFields: unknownFields)
        return object
    }
}
