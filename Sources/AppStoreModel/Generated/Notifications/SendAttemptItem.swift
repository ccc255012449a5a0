// Generated from Schema/notifications.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// One attempt to deliver a notification.
///
/// - Source: App Store Server API, sendAttemptItem; each property is the field of the same name.
public struct SendAttemptItem: JSONRepresentable {
    /// When it was made, in milliseconds since 1970 (UTC).
    public var attemptDate: Int64
    /// The result.
    public var sendAttemptResult: SendAttemptResult
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(attemptDate: Int64, sendAttemptResult: SendAttemptResult, unknownFields: JSONObject = JSONObject()) {
        self.attemptDate = attemptDate
        self.sendAttemptResult = sendAttemptResult
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        attemptDate = try fields.requireDate("attemptDate")
        sendAttemptResult = try fields.require("sendAttemptResult")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("attemptDate", attemptDate)
        object.put("sendAttemptResult", sendAttemptResult)
        object.put(unknownFields: unknownFields)
        return object
    }
}
