// Generated from Schema/notifications.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// One page of the answer to Get Notification History.
///
/// - Source: App Store Server API, NotificationHistoryResponse; each property is the field of the same name.
public struct NotificationHistoryResponse: JSONRepresentable {
    /// The token of the next page, for the same body; absent on the last page.
    public var paginationToken: String?
    /// Whether there is another page.
    public var hasMore: Bool
    /// The notifications, at most ``notificationsMax``.
    public var notificationHistory: [NotificationHistoryResponseItem]
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        hasMore: Bool,
        notificationHistory: [NotificationHistoryResponseItem],
        paginationToken: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.hasMore = hasMore
        self.notificationHistory = notificationHistory
        self.paginationToken = paginationToken
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        paginationToken = try fields.optional("paginationToken")
        hasMore = try fields.require("hasMore")
        notificationHistory = try fields.require("notificationHistory")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("paginationToken", paginationToken)
        object.put("hasMore", hasMore)
        object.put("notificationHistory", notificationHistory)
        object.put(unknownFields: unknownFields)
        return object
    }
}
