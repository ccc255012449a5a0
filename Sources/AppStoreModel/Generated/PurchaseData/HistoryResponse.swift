// Generated from Schema/purchase-data.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// One page of the answer to Get Transaction History.
///
/// - Source: App Store Server API, HistoryResponse; each property is the field of the same name.
public struct HistoryResponse: JSONRepresentable {
    /// The token of the next page.
    public var revision: String
    /// Whether there is a next page.
    public var hasMore: Bool
    /// The app.
    public var bundleId: String
    /// The app's Apple ID; absent in sandbox.
    public var appAppleId: Int64?
    /// Sandbox or production.
    public var environment: AppStoreEnvironment
    /// The signed transactions, at most ``transactionsMax``.
    public var signedTransactions: [String]
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        revision: String,
        hasMore: Bool,
        bundleId: String,
        environment: AppStoreEnvironment,
        signedTransactions: [String],
        appAppleId: Int64? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.revision = revision
        self.hasMore = hasMore
        self.bundleId = bundleId
        self.environment = environment
        self.signedTransactions = signedTransactions
        self.appAppleId = appAppleId
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        revision = try fields.require("revision")
        hasMore = try fields.require("hasMore")
        bundleId = try fields.require("bundleId")
        appAppleId = try fields.optional("appAppleId")
        environment = try fields.require("environment")
        signedTransactions = try fields.require("signedTransactions")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("revision", revision)
        object.put("hasMore", hasMore)
        object.put("bundleId", bundleId)
        object.put("appAppleId", appAppleId)
        object.put("environment", environment)
        object.put("signedTransactions", signedTransactions)
        object.put(unknownFields: unknownFields)
        return object
    }
}
