// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The response times of a performance test.
///
/// - Source: Retention Messaging API, PerformanceTestResponseTimes; each property is the field of the same name.
public struct PerformanceTestResponseTimes: JSONRepresentable {
    /// The mean, in milliseconds.
    public var average: Int64?
    /// The 50th percentile, in milliseconds.
    public var p50: Int64?
    /// The 90th percentile, in milliseconds.
    public var p90: Int64?
    /// The 95th percentile, in milliseconds.
    public var p95: Int64?
    /// The 99th percentile, in milliseconds.
    public var p99: Int64?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        average: Int64? = nil,
        p50: Int64? = nil,
        p90: Int64? = nil,
        p95: Int64? = nil,
        p99: Int64? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.average = average
        self.p50 = p50
        self.p90 = p90
        self.p95 = p95
        self.p99 = p99
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        average = try fields.optional("average")
        p50 = try fields.optional("p50")
        p90 = try fields.optional("p90")
        p95 = try fields.optional("p95")
        p99 = try fields.optional("p99")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("average", average)
        object.put("p50", p50)
        object.put("p90", p90)
        object.put("p95", p95)
        object.put("p99", p99)
        object.put(unknownFields: unknownFields)
        return object
    }
}
