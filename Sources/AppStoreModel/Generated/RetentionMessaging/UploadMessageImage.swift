// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The image of a message.
///
/// - Source: Retention Messaging API, UploadMessageImage; each property is the field of the same name.
public struct UploadMessageImage: JSONRepresentable {
    /// The image, a UUID that the developer set in the upload.
    public var imageIdentifier: String
    /// The alternative text, at most ``RetentionMessagingLimits/altTextCharactersMax`` characters.
    public var altText: String
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(imageIdentifier: String, altText: String, unknownFields: JSONObject = JSONObject()) {
        self.imageIdentifier = imageIdentifier
        self.altText = altText
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        imageIdentifier = try fields.require("imageIdentifier")
        altText = try fields.require("altText")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("imageIdentifier", imageIdentifier)
        object.put("altText", altText)
        object.put(unknownFields: unknownFields)
        return object
    }
}
