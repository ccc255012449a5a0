// Generated from Schema/purchase-data.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The body of Set App Account Token.
///
/// - Source: App Store Server API, UpdateAppAccountTokenRequest; each property is the field of the same name.
public struct UpdateAppAccountTokenRequest: JSONRepresentable {
    /// The UUID that your server assigned to the customer.
    public var appAccountToken: String
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(appAccountToken: String, unknownFields: JSONObject = JSONObject()) {
        self.appAccountToken = appAccountToken
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        appAccountToken = try fields.require("appAccountToken")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("appAccountToken", appAccountToken)
        object.put(unknownFields: unknownFields)
        return object
    }
}
