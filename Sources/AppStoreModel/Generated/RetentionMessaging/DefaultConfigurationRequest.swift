// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Sets the message that is shown without a realtime answer.
///
/// - Source: Retention Messaging API, DefaultConfigurationRequest; each property is the field of the same name.
public struct DefaultConfigurationRequest: JSONRepresentable {
    /// The message, a UUID; the message and its images must be approved.
    public var messageIdentifier: String
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(messageIdentifier: String, unknownFields: JSONObject = JSONObject()) {
        self.messageIdentifier = messageIdentifier
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        messageIdentifier = try fields.require("messageIdentifier")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("messageIdentifier", messageIdentifier)
        object.put(unknownFields: unknownFields)
        return object
    }
}
