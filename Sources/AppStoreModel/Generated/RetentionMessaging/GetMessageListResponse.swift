// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The answer to Get Message List: every uploaded message of the app.
///
/// - Source: Retention Messaging API, GetMessageListResponse; each property is the field of the same name.
public struct GetMessageListResponse: JSONRepresentable {
    /// The messages, at most ``RetentionMessagingLimits/messagesMax``.
    public var messageIdentifiers: [GetMessageListResponseItem]
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(messageIdentifiers: [GetMessageListResponseItem], unknownFields: JSONObject = JSONObject()) {
        self.messageIdentifiers = messageIdentifiers
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        messageIdentifiers = try fields.require("messageIdentifiers")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("messageIdentifiers", messageIdentifiers)
        object.put(unknownFields: unknownFields)
        return object
    }
}
