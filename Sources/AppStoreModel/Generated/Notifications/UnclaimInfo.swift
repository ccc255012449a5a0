// Generated from Schema/notifications.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The seats of a multiseat subscription to release.
///
/// - Source: App Store Server Notifications, unclaimInfo; each property is the field of the same name.
public struct UnclaimInfo: JSONRepresentable {
    /// The UUIDs of the seats, which Apple has already released.
    public var unclaimSeatIds: [String]?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(unclaimSeatIds: [String]? = nil, unknownFields: JSONObject = JSONObject()) {
        self.unclaimSeatIds = unclaimSeatIds
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        unclaimSeatIds = try fields.optional("unclaimSeatIds")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("unclaimSeatIds", unclaimSeatIds)
        object.put(unknownFields: unknownFields)
        return object
    }
}
