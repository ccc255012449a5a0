// Generated from Schema/advanced-commerce.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The descriptors of an Advanced Commerce subscription.
///
/// - Source: Advanced Commerce API, descriptors; each property is the field of the same name.
public struct AdvancedCommerceDescriptors: JSONRepresentable {
    /// The description.
    public var description: String?
    /// Its name.
    public var displayName: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(description: String? = nil, displayName: String? = nil, unknownFields: JSONObject = JSONObject()) {
        self.description = description
        self.displayName = displayName
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        description = try fields.optional("description")
        displayName = try fields.optional("displayName")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("description", description)
        object.put("displayName", displayName)
        object.put(unknownFields: unknownFields)
        return object
    }
}
