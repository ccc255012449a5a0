// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// An uploaded image.
///
/// - Source: Retention Messaging API, GetImageListResponseItem; each property is the field of the same name.
public struct GetImageListResponseItem: JSONRepresentable {
    /// The image, a UUID of the developer.
    public var imageIdentifier: String
    /// Whether Apple approved it.
    public var imageState: ImageState
    /// Its purpose.
    public var imageSize: ImageSize?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        imageIdentifier: String,
        imageState: ImageState,
        imageSize: ImageSize? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.imageIdentifier = imageIdentifier
        self.imageState = imageState
        self.imageSize = imageSize
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        imageIdentifier = try fields.require("imageIdentifier")
        imageState = try fields.require("imageState")
        imageSize = try fields.optional("imageSize")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("imageIdentifier", imageIdentifier)
        object.put("imageState", imageState)
        object.put("imageSize", imageSize)
        object.put(unknownFields: unknownFields)
        return object
    }
}
