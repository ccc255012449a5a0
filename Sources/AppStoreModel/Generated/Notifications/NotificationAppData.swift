// Generated from Schema/notifications.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The app download of a notification.
///
/// - Source: App Store Server Notifications, appData; each property is the field of the same name.
public struct NotificationAppData: JSONRepresentable {
    /// The app's Apple ID; absent in sandbox.
    public var appAppleId: Int64?
    /// The app.
    public var bundleId: String
    /// Sandbox or production.
    public var environment: AppStoreEnvironment
    /// The signed app transaction.
    public var signedAppTransactionInfo: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        bundleId: String,
        environment: AppStoreEnvironment,
        appAppleId: Int64? = nil,
        signedAppTransactionInfo: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.bundleId = bundleId
        self.environment = environment
        self.appAppleId = appAppleId
        self.signedAppTransactionInfo = signedAppTransactionInfo
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        appAppleId = try fields.optional("appAppleId")
        bundleId = try fields.require("bundleId")
        environment = try fields.require("environment")
        signedAppTransactionInfo = try fields.optional("signedAppTransactionInfo")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("appAppleId", appAppleId)
        object.put("bundleId", bundleId)
        object.put("environment", environment)
        object.put("signedAppTransactionInfo", signedAppTransactionInfo)
        object.put(unknownFields: unknownFields)
        return object
    }
}
