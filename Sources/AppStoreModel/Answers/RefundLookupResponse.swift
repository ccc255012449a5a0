/// The answer to Get Refund History V1, which Apple deprecated in favour of Get Refund History.
///
/// - Source: App Store Server API, RefundLookupResponse; each property is the field of the same name.
public struct RefundLookupResponse: JSONRepresentable {
    /// How many transactions the answer has at most; older refunds are left out.
    public static let transactionsMax = 50

    /// The signed transactions that were refunded last, at most ``transactionsMax``.
    public var signedTransactions: [String]
    /// What this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(signedTransactions: [String], unknownFields: JSONObject = JSONObject()) {
        self.signedTransactions = signedTransactions
        self.unknownFields = unknownFields
    }

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
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
