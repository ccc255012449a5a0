// Generated from Schema/customer-groups.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// One page of the answer to Get Group Members; so far only in sandbox.
///
/// - Source: App Store Server API, GetGroupMembersResponse, since 1.22; each property is the field of the same name.
public struct GetGroupMembersResponse: JSONRepresentable {
    /// The members, up to the requested number and at most ``limitMax``.
    public var members: [GroupMemberEntry]
    /// The token of the next page; absent on the last page.
    public var paginationToken: String?
    /// Whether there is another page.
    public var hasMore: Bool
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        members: [GroupMemberEntry],
        hasMore: Bool,
        paginationToken: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.members = members
        self.hasMore = hasMore
        self.paginationToken = paginationToken
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        members = try fields.require("members")
        paginationToken = try fields.optional("paginationToken")
        hasMore = try fields.require("hasMore")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("members", members)
        object.put("paginationToken", paginationToken)
        object.put("hasMore", hasMore)
        object.put(unknownFields: unknownFields)
        return object
    }
}
