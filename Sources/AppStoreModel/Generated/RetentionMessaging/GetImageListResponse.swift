// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The answer to Get Image List: every uploaded image of the app.
///
/// - Source: Retention Messaging API, GetImageListResponse; each property is the field of the same name.
public struct GetImageListResponse: JSONRepresentable {
    /// The images, at most ``RetentionMessagingLimits/imagesMax``.
    public var imageIdentifiers: [GetImageListResponseItem]
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(imageIdentifiers: [GetImageListResponseItem], unknownFields: JSONObject = JSONObject()) {
        self.imageIdentifiers = imageIdentifiers
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        imageIdentifiers = try fields.require("imageIdentifiers")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("imageIdentifiers", imageIdentifiers)
        object.put(unknownFields: unknownFields)
        return object
    }
}
