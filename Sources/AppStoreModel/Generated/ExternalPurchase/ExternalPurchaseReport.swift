// Generated from Schema/external-purchase.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The body of Send External Purchase Report: the use of one token.
///
/// - Source: External Purchase Server API, ExternalPurchaseReport; each property is the field of the same name.
public struct ExternalPurchaseReport: JSONRepresentable {
    /// The UUID of the report; the same one again until the report is accepted.
    public var requestIdentifier: String
    /// The token; sandbox tokens start with `SANDBOX`.
    public var externalPurchaseId: String
    /// The status of the token.
    public var status: ExternalPurchaseReportStatus
    /// Its transactions; only, and always, with ``ExternalPurchaseReportStatus/lineItem``.
    public var lineItems: [ExternalPurchaseLineItem]?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        requestIdentifier: String,
        externalPurchaseId: String,
        status: ExternalPurchaseReportStatus,
        lineItems: [ExternalPurchaseLineItem]? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.requestIdentifier = requestIdentifier
        self.externalPurchaseId = externalPurchaseId
        self.status = status
        self.lineItems = lineItems
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        requestIdentifier = try fields.require("requestIdentifier")
        externalPurchaseId = try fields.require("externalPurchaseId")
        status = try fields.require("status")
        lineItems = try fields.optional("lineItems")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("requestIdentifier", requestIdentifier)
        object.put("externalPurchaseId", externalPurchaseId)
        object.put("status", status)
        object.put("lineItems", lineItems)
        object.put(unknownFields: unknownFields)
        return object
    }
}
