// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Turns off the renewal of a subscription; access continues until its period ends.
///
/// - Source: Advanced Commerce API, SubscriptionCancelRequest; each property is the field of the same name.
public struct AdvancedCommerceSubscriptionCancelRequest: JSONRepresentable {
    /// Identifies the request.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The customer's storefront, ISO 3166-1 alpha-3.
    public var storefront: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        requestInfo: AdvancedCommerceRequestInfo,
        storefront: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.requestInfo = requestInfo
        self.storefront = storefront
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        requestInfo = try fields.require("requestInfo")
        storefront = try fields.optional("storefront")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("requestInfo", requestInfo)
        object.put("storefront", storefront)
        object.put(unknownFields: unknownFields)
        return object
    }

    /// Checks the values of the fields, one by one.
    ///
    /// - Throws: Apple's error for the first value that it refuses.
    package func checkFields() throws(AppStoreServerAPIError) {
        try requestInfo.checkFields()
    }
}
