/// Starts a performance test of the real-time URL; sandbox only.
///
/// - Source: Retention Messaging API, PerformanceTestRequest; each property is the field of the same name.
public struct PerformanceTestRequest: JSONRepresentable {
    /// A subscription bought in the sandbox, which the test asks about.
    public var originalTransactionId: String
    /// What this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(originalTransactionId: String, unknownFields: JSONObject = JSONObject()) {
        self.originalTransactionId = originalTransactionId
        self.unknownFields = unknownFields
    }

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        originalTransactionId = try fields.require("originalTransactionId")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("originalTransactionId", originalTransactionId)
        object.put(unknownFields: unknownFields)
        return object
    }
}
