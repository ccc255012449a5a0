/// An uploaded message.
///
/// - Source: Retention Messaging API, GetMessageListResponseItem; each property is the field of the same name.
public struct GetMessageListResponseItem: JSONRepresentable {
    /// The message, a UUID that the developer chose when uploading it.
    public var messageIdentifier: String
    /// Whether Apple approved it.
    public var messageState: MessageState
    /// What this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(messageIdentifier: String, messageState: MessageState, unknownFields: JSONObject = JSONObject()) {
        self.messageIdentifier = messageIdentifier
        self.messageState = messageState
        self.unknownFields = unknownFields
    }

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
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
