// Generated from Schema/external-purchase.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// One error in a report.
///
/// - Source: External Purchase Server API, the error objects of SendReportErrorResponse; each property is the field of
///   the same name.
public struct ExternalPurchaseReportError: JSONRepresentable {
    /// The error.
    public var errorCode: ExternalPurchaseErrorCode
    /// Apple's message.
    public var errorMessage: String?
    /// The invalid field.
    public var fieldName: String?
    /// The invalid line item; absent for an error of the report itself.
    public var lineItemId: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        errorCode: ExternalPurchaseErrorCode,
        errorMessage: String? = nil,
        fieldName: String? = nil,
        lineItemId: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.errorCode = errorCode
        self.errorMessage = errorMessage
        self.fieldName = fieldName
        self.lineItemId = lineItemId
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        errorCode = try fields.require("errorCode")
        errorMessage = try fields.optional("errorMessage")
        fieldName = try fields.optional("fieldName")
        lineItemId = try fields.optional("lineItemId")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("errorCode", errorCode)
        object.put("errorMessage", errorMessage)
        object.put("fieldName", fieldName)
        object.put("lineItemId", lineItemId)
        object.put(unknownFields: unknownFields)
        return object
    }
}
