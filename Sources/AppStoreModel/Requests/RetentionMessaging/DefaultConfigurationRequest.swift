/// Chooses the message that is shown when there is no answer in real time.
///
/// - Source: Retention Messaging API, DefaultConfigurationRequest; each property is the field of the same name.
public struct DefaultConfigurationRequest: JSONRepresentable {
    /// The message, a UUID; it and its images are approved.
    public var messageIdentifier: String
    /// What this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(messageIdentifier: String, unknownFields: JSONObject = JSONObject()) {
        self.messageIdentifier = messageIdentifier
        self.unknownFields = unknownFields
    }

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
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
