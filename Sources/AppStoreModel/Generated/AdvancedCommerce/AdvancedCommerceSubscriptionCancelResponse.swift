// Generated from Schema/advanced-commerce.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The answer to Cancel a Subscription.
///
/// Both are optional here, so that the answer to an executed change can always be decoded.
///
/// - Source: Advanced Commerce API, SubscriptionCancelResponse; each property is the field of the same name.
public struct AdvancedCommerceSubscriptionCancelResponse: JSONRepresentable {
    /// The signed transaction, a JWS.
    public var signedTransactionInfo: String?
    /// The signed renewal information, a JWS.
    public var signedRenewalInfo: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        signedTransactionInfo: String? = nil,
        signedRenewalInfo: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.signedTransactionInfo = signedTransactionInfo
        self.signedRenewalInfo = signedRenewalInfo
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        signedTransactionInfo = try fields.optional("signedTransactionInfo")
        signedRenewalInfo = try fields.optional("signedRenewalInfo")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("signedTransactionInfo", signedTransactionInfo)
        object.put("signedRenewalInfo", signedRenewalInfo)
        object.put(unknownFields: unknownFields)
        return object
    }
}
