/// What identifies a request to Advanced Commerce.
///
/// - Source: Advanced Commerce API, RequestInfo; each property is the field of the same name.
public struct AdvancedCommerceRequestInfo: JSONRepresentable {
    /// A new UUID for each request; the same again only to repeat a request that timed out.
    public var requestReferenceId: String
    /// The developer's UUID for the customer.
    public var appAccountToken: String?
    /// The token of the newest renewal information, never one of your own making.
    public var consistencyToken: String?
    /// What this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        requestReferenceId: String,
        appAccountToken: String? = nil,
        consistencyToken: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.requestReferenceId = requestReferenceId
        self.appAccountToken = appAccountToken
        self.consistencyToken = consistencyToken
        self.unknownFields = unknownFields
    }

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        requestReferenceId = try fields.require("requestReferenceId")
        appAccountToken = try fields.optional("appAccountToken")
        consistencyToken = try fields.optional("consistencyToken")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("requestReferenceId", requestReferenceId)
        object.put("appAccountToken", appAccountToken)
        object.put("consistencyToken", consistencyToken)
        object.put(unknownFields: unknownFields)
        return object
    }
}
