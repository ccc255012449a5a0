// Generated from Schema/notifications.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The answer to Request a Test Notification.
///
/// - Source: App Store Server API, SendTestNotificationResponse; each property is the field of the same name.
public struct SendTestNotificationResponse: JSONRepresentable {
    /// The token for the notification's status.
    public var testNotificationToken: String
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(testNotificationToken: String, unknownFields: JSONObject = JSONObject()) {
        self.testNotificationToken = testNotificationToken
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        testNotificationToken = try fields.require("testNotificationToken")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("testNotificationToken", testNotificationToken)
        object.put(unknownFields: unknownFields)
        return object
    }
}
