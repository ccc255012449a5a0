// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// One point of the list of a message.
///
/// - Source: Retention Messaging API, BulletPoint; each property is the field of the same name.
public struct BulletPoint: JSONRepresentable {
    /// The text, at most ``RetentionMessagingLimits/bulletPointTextCharactersMax`` characters.
    public var text: String
    /// Its image, a UUID; its size is ``ImageSize/bulletPoint``.
    public var imageIdentifier: String
    /// The alternative text of the image, at most ``RetentionMessagingLimits/altTextCharactersMax`` characters.
    public var altText: String
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(text: String, imageIdentifier: String, altText: String, unknownFields: JSONObject = JSONObject()) {
        self.text = text
        self.imageIdentifier = imageIdentifier
        self.altText = altText
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        text = try fields.require("text")
        imageIdentifier = try fields.require("imageIdentifier")
        altText = try fields.require("altText")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("text", text)
        object.put("imageIdentifier", imageIdentifier)
        object.put("altText", altText)
        object.put(unknownFields: unknownFields)
        return object
    }
}
