// Generated from Schema/purchase-data.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The answer to Get Transaction Info.
///
/// - Source: App Store Server API, TransactionInfoResponse; each property is the field of the same name.
public struct TransactionInfoResponse: JSONRepresentable {
    /// The signed transaction.
    public var signedTransactionInfo: String
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(signedTransactionInfo: String, unknownFields: JSONObject = JSONObject()) {
        self.signedTransactionInfo = signedTransactionInfo
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        signedTransactionInfo = try fields.require("signedTransactionInfo")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("signedTransactionInfo", signedTransactionInfo)
        object.put(unknownFields: unknownFields)
        return object
    }
}
