// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The answer to Initiate Performance Test.
///
/// - Source: Retention Messaging API, PerformanceTestResponse; each property is the field of the same name.
public struct PerformanceTestResponse: JSONRepresentable {
    /// The parameters of the test.
    public var config: PerformanceTestConfig?
    /// The identifier of the test, to get its result.
    public var requestId: String
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(requestId: String, config: PerformanceTestConfig? = nil, unknownFields: JSONObject = JSONObject()) {
        self.requestId = requestId
        self.config = config
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        config = try fields.optional("config")
        requestId = try fields.require("requestId")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("config", config)
        object.put("requestId", requestId)
        object.put(unknownFields: unknownFields)
        return object
    }
}
