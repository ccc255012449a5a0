// Generated from Schema/notifications.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The result of an extension of many subscriptions.
///
/// - Source: App Store Server Notifications, summary; each property is the field of the same name.
public struct NotificationSummary: JSONRepresentable {
    /// The developer's UUID of the request.
    public var requestIdentifier: String?
    /// Sandbox or production.
    public var environment: AppStoreEnvironment
    /// The app's Apple ID; absent in sandbox.
    public var appAppleId: Int64?
    /// The app.
    public var bundleId: String
    /// The product that was extended.
    public var productId: String?
    /// The storefronts, ISO 3166-1 alpha-3; absent for all.
    public var storefrontCountryCodes: [String]?
    /// The number of extended subscriptions.
    public var succeededCount: Int64?
    /// The number of subscriptions that were not extended.
    public var failedCount: Int64?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        environment: AppStoreEnvironment,
        bundleId: String,
        requestIdentifier: String? = nil,
        appAppleId: Int64? = nil,
        productId: String? = nil,
        storefrontCountryCodes: [String]? = nil,
        succeededCount: Int64? = nil,
        failedCount: Int64? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.environment = environment
        self.bundleId = bundleId
        self.requestIdentifier = requestIdentifier
        self.appAppleId = appAppleId
        self.productId = productId
        self.storefrontCountryCodes = storefrontCountryCodes
        self.succeededCount = succeededCount
        self.failedCount = failedCount
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        requestIdentifier = try fields.optional("requestIdentifier")
        environment = try fields.require("environment")
        appAppleId = try fields.optional("appAppleId")
        bundleId = try fields.require("bundleId")
        productId = try fields.optional("productId")
        storefrontCountryCodes = try fields.optional("storefrontCountryCodes")
        succeededCount = try fields.optional("succeededCount")
        failedCount = try fields.optional("failedCount")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("requestIdentifier", requestIdentifier)
        object.put("environment", environment)
        object.put("appAppleId", appAppleId)
        object.put("bundleId", bundleId)
        object.put("productId", productId)
        object.put("storefrontCountryCodes", storefrontCountryCodes)
        object.put("succeededCount", succeededCount)
        object.put("failedCount", failedCount)
        object.put(unknownFields: unknownFields)
        return object
    }
}
