// Generated from Schema/purchase-data.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// One page of the answer to Get Refund History.
///
/// - Source: App Store Server API, RefundHistoryResponse; each property is the field of the same name.
public struct RefundHistoryResponse: JSONRepresentable {
    /// Whether there is another page.
    public var hasMore: Bool
    /// The revision of the next page; on the last page, for later refunds.
    public var revision: String
    /// The signed transactions that were refunded, oldest refund first, at most ``transactionsMax``.
    public var signedTransactions: [String]
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        hasMore: Bool,
        revision: String,
        signedTransactions: [String],
        unknownFields: JSONObject = JSONObject()
    ) {
        self.hasMore = hasMore
        self.revision = revision
        self.signedTransactions = signedTransactions
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        hasMore = try fields.require("hasMore")
        revision = try fields.require("revision")
        signedTransactions = try fields.require("signedTransactions")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("hasMore", hasMore)
        object.put("revision", revision)
        object.put("signedTransactions", signedTransactions)
        object.put(unknownFields: unknownFields)
        return object
    }
}
