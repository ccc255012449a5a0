// Generated from Schema/purchase-data.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The answer to Get All Subscription Statuses.
///
/// - Source: App Store Server API, StatusResponse; each property is the field of the same name.
public struct StatusResponse: JSONRepresentable {
    /// Sandbox or production.
    public var environment: AppStoreEnvironment
    /// The app.
    public var bundleId: String
    /// The app's Apple ID; absent in sandbox.
    public var appAppleId: Int64?
    /// The customer's subscriptions, by group.
    public var data: [SubscriptionGroupIdentifierItem]
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        environment: AppStoreEnvironment,
        bundleId: String,
        data: [SubscriptionGroupIdentifierItem],
        appAppleId: Int64? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.environment = environment
        self.bundleId = bundleId
        self.data = data
        self.appAppleId = appAppleId
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        environment = try fields.require("environment")
        bundleId = try fields.require("bundleId")
        appAppleId = try fields.optional("appAppleId")
        data = try fields.require("data")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("environment", environment)
        object.put("bundleId", bundleId)
        object.put("appAppleId", appAppleId)
        object.put("data", data)
        object.put(unknownFields: unknownFields)
        return object
    }
}
