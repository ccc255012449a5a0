// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The parameters and the pass criteria of a performance test.
///
/// - Source: Retention Messaging API, PerformanceTestConfig; each property is the field of the same name.
public struct PerformanceTestConfig: JSONRepresentable {
    /// The maximum number of concurrent requests.
    public var maxConcurrentRequests: Int64?
    /// The total number of requests.
    public var totalRequests: Int64?
    /// The duration of the test, in milliseconds.
    public var totalDuration: Int64?
    /// The maximum response time, in milliseconds.
    public var responseTimeThreshold: Int64?
    /// The required success rate, in percent.
    public var successRateThreshold: Int32?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        maxConcurrentRequests: Int64? = nil,
        totalRequests: Int64? = nil,
        totalDuration: Int64? = nil,
        responseTimeThreshold: Int64? = nil,
        successRateThreshold: Int32? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.maxConcurrentRequests = maxConcurrentRequests
        self.totalRequests = totalRequests
        self.totalDuration = totalDuration
        self.responseTimeThreshold = responseTimeThreshold
        self.successRateThreshold = successRateThreshold
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        maxConcurrentRequests = try fields.optional("maxConcurrentRequests")
        totalRequests = try fields.optional("totalRequests")
        totalDuration = try fields.optional("totalDuration")
        responseTimeThreshold = try fields.optional("responseTimeThreshold")
        successRateThreshold = try fields.optional("successRateThreshold")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("maxConcurrentRequests", maxConcurrentRequests)
        object.put("totalRequests", totalRequests)
        object.put("totalDuration", totalDuration)
        object.put("responseTimeThreshold", responseTimeThreshold)
        object.put("successRateThreshold", successRateThreshold)
        object.put(unknownFields: unknownFields)
        return object
    }
}
