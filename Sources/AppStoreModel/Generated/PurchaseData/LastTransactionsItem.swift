// Generated from Schema/purchase-data.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The state of one subscription with its latest transaction.
///
/// - Source: App Store Server API, lastTransactionsItem; each property is the field of the same name.
public struct LastTransactionsItem: JSONRepresentable {
    /// The subscription.
    public var originalTransactionId: String
    /// Its state.
    public var status: SubscriptionStatus
    /// Its latest transaction, signed.
    public var signedTransactionInfo: String
    /// Its renewal information, signed.
    public var signedRenewalInfo: String
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        originalTransactionId: String,
        status: SubscriptionStatus,
        signedTransactionInfo: String,
        signedRenewalInfo: String,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.originalTransactionId = originalTransactionId
        self.status = status
        self.signedTransactionInfo = signedTransactionInfo
        self.signedRenewalInfo = signedRenewalInfo
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        originalTransactionId = try fields.require("originalTransactionId")
        status = try fields.require("status")
        signedTransactionInfo = try fields.require("signedTransactionInfo")
        signedRenewalInfo = try fields.require("signedRenewalInfo")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("originalTransactionId", originalTransactionId)
        object.put("status", status)
        object.put("signedTransactionInfo", signedTransactionInfo)
        object.put("signedRenewalInfo", signedRenewalInfo)
        object.put(unknownFields: unknownFields)
        return object
    }
}
