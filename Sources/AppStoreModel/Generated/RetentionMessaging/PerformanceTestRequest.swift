// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Starts a performance test of the realtime URL; sandbox only.
///
/// - Source: Retention Messaging API, PerformanceTestRequest; each property is the field of the same name.
public struct PerformanceTestRequest: JSONRepresentable {
    /// A sandbox subscription for the test.
    public var originalTransactionId: String
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(originalTransactionId: String, unknownFields: JSONObject = JSONObject()) {
        self.originalTransactionId = originalTransactionId
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
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
