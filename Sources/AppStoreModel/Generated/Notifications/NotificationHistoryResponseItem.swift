// Generated from Schema/notifications.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// One notification with the attempts to deliver it.
///
/// - Source: App Store Server API, notificationHistoryResponseItem; each property is the field of the same name.
public struct NotificationHistoryResponseItem: JSONRepresentable {
    /// The signed ``ResponseBodyV2DecodedPayload``, as it was sent.
    public var signedPayload: String
    /// The attempts to deliver it, at most six.
    public var sendAttempts: [SendAttemptItem]?
    /// The result of the first attempt; deprecated by Apple in favour of ``sendAttempts``.
    public var firstSendAttemptResult: SendAttemptResult?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        signedPayload: String,
        sendAttempts: [SendAttemptItem]? = nil,
        firstSendAttemptResult: SendAttemptResult? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.signedPayload = signedPayload
        self.sendAttempts = sendAttempts
        self.firstSendAttemptResult = firstSendAttemptResult
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        signedPayload = try fields.require("signedPayload")
        sendAttempts = try fields.optional("sendAttempts")
        firstSendAttemptResult = try fields.optional("firstSendAttemptResult")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("signedPayload", signedPayload)
        object.put("sendAttempts", sendAttempts)
        object.put("firstSendAttemptResult", firstSendAttemptResult)
        object.put(unknownFields: unknownFields)
        return object
    }
}
