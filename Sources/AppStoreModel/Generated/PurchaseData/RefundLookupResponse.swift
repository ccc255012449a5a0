// Generated from Schema/purchase-data.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The answer to Get Refund History V1, which Apple deprecated in favour of Get Refund History.
///
/// - Source: App Store Server API, RefundLookupResponse; each property is the field of the same name.
public struct RefundLookupResponse: JSONRepresentable {
    /// The signed transactions of the latest refunds, at most ``transactionsMax``.
    public var signedTransactions: [String]
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(signedTransactions: [String], unknownFields: JSONObject = JSONObject()) {
        self.signedTransactions = signedTransactions
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        signedTransactions = try fields.require("signedTransactions")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("signedTransactions", signedTransactions)
        object.put(unknownFields: unknownFields)
        return object
    }
}
