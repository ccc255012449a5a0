// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Sets the URL that Apple calls in real time.
///
/// Production accepts it only after a successful performance test in the sandbox.
///
/// - Source: Retention Messaging API, RealtimeUrlRequest; each property is the field of the same name.
public struct RealtimeUrlRequest: JSONRepresentable {
    /// The HTTPS URL, at most ``RetentionMessagingLimits/realtimeURLCharactersMax`` characters.
    public var realtimeURL: String
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(realtimeURL: String, unknownFields: JSONObject = JSONObject()) {
        self.realtimeURL = realtimeURL
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        realtimeURL = try fields.require("realtimeURL")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("realtimeURL", realtimeURL)
        object.put(unknownFields: unknownFields)
        return object
    }
}
