/// One notification with the attempts to deliver it.
///
/// - Source: App Store Server API, notificationHistoryResponseItem; each property is the field of the same name.
public struct NotificationHistoryResponseItem: JSONRepresentable {
    /// The signed ``ResponseBodyV2DecodedPayload``, as it was when it was sent.
    public var signedPayload: String
    /// The attempts to deliver it, at most six.
    public var sendAttempts: [SendAttemptItem]?
    /// What came of the first; deprecated by Apple in favour of ``sendAttempts``.
    public var firstSendAttemptResult: SendAttemptResult?
    /// What this version of the model does not know.
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

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
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
