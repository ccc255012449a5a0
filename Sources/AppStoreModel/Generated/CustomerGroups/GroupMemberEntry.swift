// Generated from Schema/customer-groups.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// A member of a group.
///
/// - Source: App Store Server API, GroupMemberEntry, since 1.22; each property is the field of the same name.
public struct GroupMemberEntry: JSONRepresentable {
    /// Identifies the member's download of the app.
    public var appTransactionId: String
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(appTransactionId: String, unknownFields: JSONObject = JSONObject()) {
        self.appTransactionId = appTransactionId
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        appTransactionId = try fields.require("appTransactionId")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("appTransactionId", appTransactionId)
        object.put(unknownFields: unknownFields)
        return object
    }
}
