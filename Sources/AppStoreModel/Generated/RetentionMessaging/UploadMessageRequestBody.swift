// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// A message to upload; Apple reviews it before customers see it.
///
/// Messages for promotional offers and for other products must have neither an image nor bullet points.
///
/// - Source: Retention Messaging API, UploadMessageRequestBody; each property is the field of the same name.
public struct UploadMessageRequestBody: JSONRepresentable {
    /// The title, at most ``RetentionMessagingLimits/headerCharactersMax`` characters.
    public var header: String
    /// The text, at most ``RetentionMessagingLimits/bodyCharactersMax`` characters.
    public var body: String
    /// The image beside the text.
    public var image: UploadMessageImage?
    /// The position of the title; above the text if absent.
    public var headerPosition: HeaderPosition?
    /// The list, at most ``RetentionMessagingLimits/bulletPointsMax`` points.
    public var bulletPoints: [BulletPoint]?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        header: String,
        body: String,
        image: UploadMessageImage? = nil,
        headerPosition: HeaderPosition? = nil,
        bulletPoints: [BulletPoint]? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.header = header
        self.body = body
        self.image = image
        self.headerPosition = headerPosition
        self.bulletPoints = bulletPoints
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        header = try fields.require("header")
        body = try fields.require("body")
        image = try fields.optional("image")
        headerPosition = try fields.optional("headerPosition")
        bulletPoints = try fields.optional("bulletPoints")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("header", header)
        object.put("body", body)
        object.put("image", image)
        object.put("headerPosition", headerPosition)
        object.put("bulletPoints", bulletPoints)
        object.put(unknownFields: unknownFields)
        return object
    }
}
