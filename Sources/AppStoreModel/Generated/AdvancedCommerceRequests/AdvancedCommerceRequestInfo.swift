// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The identification of an Advanced Commerce request.
///
/// - Source: Advanced Commerce API, RequestInfo; each property is the field of the same name.
public struct AdvancedCommerceRequestInfo: JSONRepresentable {
    /// A new UUID for each request; repeat it only to retry a request that timed out.
    public var requestReferenceId: String
    /// The developer's UUID of the customer.
    public var appAccountToken: String?
    /// The token of the newest renewal information, never your own.
    public var consistencyToken: String?
    /// Fields that this version of the model does not know.
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

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
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

    /// Checks the values of the fields, one by one.
    ///
    /// - Throws: Apple's error for the first value that it refuses.
    package func checkFields() throws(AppStoreServerAPIError) {
        try FieldRule.check(requestReferenceId, uuid: .invalidRequestReferenceID)
        try FieldRule.check(appAccountToken, uuid: .invalidAppAccountToken)
    }
}
