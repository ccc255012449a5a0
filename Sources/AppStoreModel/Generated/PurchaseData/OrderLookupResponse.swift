// Generated from Schema/purchase-data.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The answer to Look Up Order ID.
///
/// - Source: App Store Server API, OrderLookupResponse; each property is the field of the same name.
public struct OrderLookupResponse: JSONRepresentable {
    /// Whether the order is one of the app's.
    public var status: OrderLookupStatus
    /// The order's purchases in the app, signed; absent when the order is not the app's.
    public var signedTransactions: [String]?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        status: OrderLookupStatus,
        signedTransactions: [String]? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.status = status
        self.signedTransactions = signedTransactions
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        status = try fields.require("status")
        signedTransactions = try fields.optional("signedTransactions")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("status", status)
        object.put("signedTransactions", signedTransactions)
        object.put(unknownFields: unknownFields)
        return object
    }
}
