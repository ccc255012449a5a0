/// The number of failed requests of a performance test, by reason.
///
/// - Source: Retention Messaging API, PerformanceTestResultResponse, `failures`: a map from `sendAttemptResult` to a
///   count.
public struct PerformanceTestFailures: JSONRepresentable {
    /// The number of failed requests by reason; absent reasons did not occur.
    public var counts: [SendAttemptResult: Int64]
    /// Members whose value is not a count.
    public var unknownFields: JSONObject

    /// Makes the map.
    public init(counts: [SendAttemptResult: Int64] = [:], unknownFields: JSONObject = JSONObject()) {
        self.counts = counts
        self.unknownFields = unknownFields
    }

    /// Decodes the map; it has no fixed fields, so decoding cannot fail.
    public init(json: JSONObject) throws(ModelError) {
        counts = [:]
        unknownFields = JSONObject()
        for member in json.members {
            if case .integer(let count) = member.value {
                counts[SendAttemptResult(rawValue: member.key)] = count
            } else {
                unknownFields[member.key] = member.value
            }
        }
    }

    /// The map as JSON, ordered by reason.
    public var json: JSONObject {
        var object = JSONObject()
        for (reason, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            object.put(reason.rawValue, count)
        }
        object.put(unknownFields: unknownFields)
        return object
    }
}
