/// Sets the URL that Apple asks in real time.
///
/// In production it is only accepted after a performance test was passed in the sandbox.
///
/// - Source: Retention Messaging API, RealtimeUrlRequest; each property is the field of the same name.
public struct RealtimeUrlRequest: JSONRepresentable {
    /// The HTTPS address, at most ``RetentionMessagingLimits/realtimeURLCharactersMax`` characters.
    public var realtimeURL: String
    /// What this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(realtimeURL: String, unknownFields: JSONObject = JSONObject()) {
        self.realtimeURL = realtimeURL
        self.unknownFields = unknownFields
    }

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
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
