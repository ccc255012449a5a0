// Generated from Schema/external-purchase.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The answer to Send External Purchase Report if the report has errors.
///
/// The report was not stored: correct all errors and send it again under the same identifier.
///
/// - Source: External Purchase Server API, SendReportErrorResponse; each property is the field of the same name.
public struct SendReportErrorResponse: JSONRepresentable {
    /// All errors.
    public var errors: [ExternalPurchaseReportError]
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(errors: [ExternalPurchaseReportError], unknownFields: JSONObject = JSONObject()) {
        self.errors = errors
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        errors = try fields.require("errors")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("errors", errors)
        object.put(unknownFields: unknownFields)
        return object
    }
}
