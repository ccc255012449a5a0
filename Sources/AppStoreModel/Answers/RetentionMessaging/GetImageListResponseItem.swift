/// An uploaded image.
///
/// - Source: Retention Messaging API, GetImageListResponseItem; each property is the field of the same name.
public struct GetImageListResponseItem: JSONRepresentable {
    /// The image, a UUID that the developer chose.
    public var imageIdentifier: String
    /// Whether Apple approved it.
    public var imageState: ImageState
    /// What it is for.
    public var imageSize: ImageSize?
    /// What this version of the model does not know.
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

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
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
