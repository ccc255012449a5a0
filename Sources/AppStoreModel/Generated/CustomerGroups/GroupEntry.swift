// Generated from Schema/customer-groups.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// A group of a customer.
///
/// - Source: App Store Server API, GroupEntry, since 1.22; each property is the field of the same name.
public struct GroupEntry: JSONRepresentable {
    /// Identifies the group.
    public var groupId: String
    /// The type of the group.
    public var groupType: CustomerGroupType
    /// The customer's roles; only in organizations.
    public var roles: [RoleEntry]?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        groupId: String,
        groupType: CustomerGroupType,
        roles: [RoleEntry]? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.groupId = groupId
        self.groupType = groupType
        self.roles = roles
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        groupId = try fields.require("groupId")
        groupType = try fields.require("groupType")
        roles = try fields.optional("roles")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("groupId", groupId)
        object.put("groupType", groupType)
        object.put("roles", roles)
        object.put(unknownFields: unknownFields)
        return object
    }
}
