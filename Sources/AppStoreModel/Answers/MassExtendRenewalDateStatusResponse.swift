/// The answer to Get Status of Subscription Renewal Date Extensions.
///
/// - Source: App Store Server API, MassExtendRenewalDateStatusResponse; each property is the field of the same name.
public struct MassExtendRenewalDateStatusResponse: JSONRepresentable {
    /// The identifier that came with the order.
    public var requestIdentifier: String
    /// Whether every subscription was looked at.
    public var complete: Bool
    /// When it was complete, in milliseconds since 1970 (UTC); absent before.
    public var completeDate: Int64?
    /// How many subscriptions were extended; absent before it is complete.
    public var succeededCount: Int64?
    /// How many could not be extended; absent before it is complete.
    public var failedCount: Int64?
    /// What this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        requestIdentifier: String,
        complete: Bool,
        completeDate: Int64? = nil,
        succeededCount: Int64? = nil,
        failedCount: Int64? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.requestIdentifier = requestIdentifier
        self.complete = complete
        self.completeDate = completeDate
        self.succeededCount = succeededCount
        self.failedCount = failedCount
        self.unknownFields = unknownFields
    }

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        requestIdentifier = try fields.require("requestIdentifier")
        complete = try fields.require("complete")
        completeDate = try fields.optionalDate("completeDate")
        succeededCount = try fields.optional("succeededCount")
        failedCount = try fields.optional("failedCount")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("requestIdentifier", requestIdentifier)
        object.put("complete", complete)
        object.put("completeDate", completeDate)
        object.put("succeededCount", succeededCount)
        object.put("failedCount", failedCount)
        object.put(unknownFields: unknownFields)
        return object
    }
}
