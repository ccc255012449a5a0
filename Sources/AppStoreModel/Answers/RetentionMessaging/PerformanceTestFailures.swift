/// Why requests of a performance test failed, and how many for each reason.
///
/// - Source: Retention Messaging API, PerformanceTestResultResponse, `failures`: a map from `sendAttemptResult` to a
///   count.
public struct PerformanceTestFailures: JSONRepresentable {
    /// How many requests failed for a reason; reasons that are not there did not occur.
    public var counts: [SendAttemptResult: Int64]
    /// Members whose value is no count.
    public var unknownFields: JSONObject

    /// Makes the map.
    public init(counts: [SendAttemptResult: Int64] = [:], unknownFields: JSONObject = JSONObject()) {
        self.counts = counts
        self.unknownFields = unknownFields
    }

    /// Reads the map; it has no fields of its own, so nothing in it can be missing or wrong.
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

    /// The map as JSON, its reasons in the order of their names.
    public var json: JSONObject {
        var object = JSONObject()
        for (reason, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            object.put(reason.rawValue, count)
        }
        object.put(unknownFields: unknownFields)
        return object
    }
}
