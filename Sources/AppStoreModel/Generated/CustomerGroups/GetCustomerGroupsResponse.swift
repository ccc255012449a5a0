// Generated from Schema/customer-groups.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The answer to Get Customer Groups; so far only in sandbox.
///
/// - Source: App Store Server API, GetCustomerGroupsResponse, since 1.22; each property is the field of the same name.
public struct GetCustomerGroupsResponse: JSONRepresentable {
    /// The customer's groups; may be empty.
    public var groups: [GroupEntry]
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(groups: [GroupEntry], unknownFields: JSONObject = JSONObject()) {
        self.groups = groups
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        groups = try fields.require("groups")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("groups", groups)
        object.put(unknownFields: unknownFields)
        return object
    }
}
