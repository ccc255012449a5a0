// Generated from Schema/external-purchase.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The answer to Retrieve External Purchase Report.
///
/// - Source: External Purchase Server API, RetrieveReportSuccessResponse; each property is the field of the same name.
public struct RetrieveReportSuccessResponse: JSONRepresentable {
    /// The report as it was sent.
    public var report: ExternalPurchaseReport
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(report: ExternalPurchaseReport, unknownFields: JSONObject = JSONObject()) {
        self.report = report
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        report = try fields.require("report")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("report", report)
        object.put(unknownFields: unknownFields)
        return object
    }
}
