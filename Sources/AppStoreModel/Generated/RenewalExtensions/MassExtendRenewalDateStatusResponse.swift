// Generated from Schema/renewal-extensions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The answer to Get Status of Subscription Renewal Date Extensions.
///
/// - Source: App Store Server API, MassExtendRenewalDateStatusResponse; each property is the field of the same name.
public struct MassExtendRenewalDateStatusResponse: JSONRepresentable {
    /// The identifier of the order.
    public var requestIdentifier: String
    /// Whether all subscriptions were processed.
    public var complete: Bool
    /// When it was complete, in milliseconds since 1970 (UTC); absent before.
    public var completeDate: Int64?
    /// The number of extended subscriptions; absent before completion.
    public var succeededCount: Int64?
    /// The number of subscriptions that could not be extended; absent before completion.
    public var failedCount: Int64?
    /// Fields that this version of the model does not know.
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

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
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
