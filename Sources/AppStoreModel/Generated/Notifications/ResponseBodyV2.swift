// Generated from Schema/notifications.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The body of a notification as Apple posts it.
///
/// - Source: App Store Server Notifications, responseBodyV2; each property is the field of the same name.
public struct ResponseBodyV2: JSONRepresentable {
    /// The signed ``ResponseBodyV2DecodedPayload``.
    public var signedPayload: String
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(signedPayload: String, unknownFields: JSONObject = JSONObject()) {
        self.signedPayload = signedPayload
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        signedPayload = try fields.require("signedPayload")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("signedPayload", signedPayload)
        object.put(unknownFields: unknownFields)
        return object
    }
}
