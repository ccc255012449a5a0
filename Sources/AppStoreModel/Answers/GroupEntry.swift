/// A group that a customer is in.
///
/// - Source: App Store Server API, GroupEntry, since 1.22; each property is the field of the same name.
public struct GroupEntry: JSONRepresentable {
    /// The group that the sandbox shows for a customer who is in no group of consumers.
    public static let sandboxPlaceholderId = "900000000000000000"

    /// Identifies the group.
    public var groupId: String
    /// What kind of group it is.
    public var groupType: CustomerGroupType
    /// What the customer may do; only in organizations.
    public var roles: [RoleEntry]?
    /// What this version of the model does not know.
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

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
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
