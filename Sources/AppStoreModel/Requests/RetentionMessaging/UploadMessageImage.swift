/// The image of a message.
///
/// - Source: Retention Messaging API, UploadMessageImage; each property is the field of the same name.
public struct UploadMessageImage: JSONRepresentable {
    /// The image, a UUID that the developer chose when uploading it.
    public var imageIdentifier: String
    /// What it shows, for people who cannot see it, at most ``RetentionMessagingLimits/altTextCharactersMax``
    /// characters.
    public var altText: String
    /// What this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(imageIdentifier: String, altText: String, unknownFields: JSONObject = JSONObject()) {
        self.imageIdentifier = imageIdentifier
        self.altText = altText
        self.unknownFields = unknownFields
    }

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
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
