/// One attempt to deliver a notification.
///
/// - Source: App Store Server API, sendAttemptItem; each property is the field of the same name.
public struct SendAttemptItem: JSONRepresentable {
    /// When it was made, in milliseconds since 1970 (UTC).
    public var attemptDate: Int64
    /// What came of it.
    public var sendAttemptResult: SendAttemptResult
    /// What this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(attemptDate: Int64, sendAttemptResult: SendAttemptResult, unknownFields: JSONObject = JSONObject()) {
        self.attemptDate = attemptDate
        self.sendAttemptResult = sendAttemptResult
        self.unknownFields = unknownFields
    }

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
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
