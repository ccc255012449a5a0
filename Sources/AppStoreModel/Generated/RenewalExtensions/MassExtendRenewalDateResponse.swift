// Generated from Schema/renewal-extensions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The answer to Extend Subscription Renewal Dates for All Active Subscribers: the order is accepted.
///
/// - Source: App Store Server API, MassExtendRenewalDateResponse; each property is the field of the same name.
public struct MassExtendRenewalDateResponse: JSONRepresentable {
    /// The identifier of the order, for status requests.
    public var requestIdentifier: String
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(requestIdentifier: String, unknownFields: JSONObject = JSONObject()) {
        self.requestIdentifier = requestIdentifier
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        requestIdentifier = try fields.require("requestIdentifier")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("requestIdentifier", requestIdentifier)
        object.put(unknownFields: unknownFields)
        return object
    }
}
