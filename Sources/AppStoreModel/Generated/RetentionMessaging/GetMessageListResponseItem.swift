// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// An uploaded message.
///
/// - Source: Retention Messaging API, GetMessageListResponseItem; each property is the field of the same name.
public struct GetMessageListResponseItem: JSONRepresentable {
    /// The message, a UUID that the developer set in the upload.
    public var messageIdentifier: String
    /// Whether Apple approved it.
    public var messageState: MessageState
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(messageIdentifier: String, messageState: MessageState, unknownFields: JSONObject = JSONObject()) {
        self.messageIdentifier = messageIdentifier
        self.messageState = messageState
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        messageIdentifier = try fields.require("messageIdentifier")
        messageState = try fields.require("messageState")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("messageIdentifier", messageIdentifier)
        object.put("messageState", messageState)
        object.put(unknownFields: unknownFields)
        return object
    }
}
