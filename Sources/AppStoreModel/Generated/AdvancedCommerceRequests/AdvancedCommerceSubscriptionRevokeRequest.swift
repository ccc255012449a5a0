// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Ends a subscription at once, with a refund.
///
/// - Source: Advanced Commerce API, SubscriptionRevokeRequest; each property is the field of the same name.
public struct AdvancedCommerceSubscriptionRevokeRequest: JSONRepresentable {
    /// Identifies the request.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The reason.
    public var refundReason: AdvancedCommerceRefundReason
    /// The type of the refund: full, or prorated.
    public var refundType: AdvancedCommerceRefundType
    /// Whether Apple requests consumption information (a `CONSUMPTION_REQUEST` notification) before it decides.
    public var refundRiskingPreference: Bool
    /// The customer's storefront, ISO 3166-1 alpha-3.
    public var storefront: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        requestInfo: AdvancedCommerceRequestInfo,
        refundReason: AdvancedCommerceRefundReason,
        refundType: AdvancedCommerceRefundType,
        refundRiskingPreference: Bool,
        storefront: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.requestInfo = requestInfo
        self.refundReason = refundReason
        self.refundType = refundType
        self.refundRiskingPreference = refundRiskingPreference
        self.storefront = storefront
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        requestInfo = try fields.require("requestInfo")
        refundReason = try fields.require("refundReason")
        refundType = try fields.require("refundType")
        refundRiskingPreference = try fields.require("refundRiskingPreference")
        storefront = try fields.optional("storefront")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("requestInfo", requestInfo)
        object.put("refundReason", refundReason)
        object.put("refundType", refundType)
        object.put("refundRiskingPreference", refundRiskingPreference)
        object.put("storefront", storefront)
        object.put(unknownFields: unknownFields)
        return object
    }

    /// Checks the values of the fields, one by one.
    ///
    /// - Throws: Apple's error for the first value that it refuses.
    package func checkFields() throws(AppStoreServerAPIError) {
        try requestInfo.checkFields()
        try FieldRule.check(refundReason, unknown: .invalidRefundReason)
        try FieldRule.check(refundType, unknown: .invalidRefundType)
    }
}
