// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The answer to Get Performance Test Results.
///
/// During the test, ``result`` is ``PerformanceTestStatus/pending`` and figures may be absent.
///
/// - Source: Retention Messaging API, PerformanceTestResultResponse; each property is the field of the same name.
public struct PerformanceTestResultResponse: JSONRepresentable {
    /// The parameters of the test.
    public var config: PerformanceTestConfig?
    /// The URL that was tested.
    public var target: String?
    /// Whether it passed.
    public var result: PerformanceTestStatus
    /// The success rate, in percent.
    public var successRate: Int32?
    /// The number of unanswered requests.
    public var numPending: Int32?
    /// The response times.
    public var responseTimes: PerformanceTestResponseTimes?
    /// The number of failed requests, by reason.
    public var failures: PerformanceTestFailures?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        result: PerformanceTestStatus,
        config: PerformanceTestConfig? = nil,
        target: String? = nil,
        successRate: Int32? = nil,
        numPending: Int32? = nil,
        responseTimes: PerformanceTestResponseTimes? = nil,
        failures: PerformanceTestFailures? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.result = result
        self.config = config
        self.target = target
        self.successRate = successRate
        self.numPending = numPending
        self.responseTimes = responseTimes
        self.failures = failures
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        config = try fields.optional("config")
        target = try fields.optional("target")
        result = try fields.require("result")
        successRate = try fields.optional("successRate")
        numPending = try fields.optional("numPending")
        responseTimes = try fields.optional("responseTimes")
        failures = try fields.optional("failures")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("config", config)
        object.put("target", target)
        object.put("result", result)
        object.put("successRate", successRate)
        object.put("numPending", numPending)
        object.put("responseTimes", responseTimes)
        object.put("failures", failures)
        object.put(unknownFields: unknownFields)
        return object
    }
}
