// Generated from Schema/purchase-data.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The answer to Get App Transaction Info.
///
/// - Source: App Store Server API, AppTransactionInfoResponse; each property is the field of the same name.
public struct AppTransactionInfoResponse: JSONRepresentable {
    /// The signed ``JWSAppTransactionDecodedPayload``.
    public var signedAppTransactionInfo: String
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(signedAppTransactionInfo: String, unknownFields: JSONObject = JSONObject()) {
        self.signedAppTransactionInfo = signedAppTransactionInfo
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        signedAppTransactionInfo = try fields.require("signedAppTransactionInfo")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("signedAppTransactionInfo", signedAppTransactionInfo)
        object.put(unknownFields: unknownFields)
        return object
    }
}
