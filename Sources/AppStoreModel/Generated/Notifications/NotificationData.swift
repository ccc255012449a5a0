// Generated from Schema/notifications.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The purchase of a notification.
///
/// - Source: App Store Server Notifications, data; each property is the field of the same name.
public struct NotificationData: JSONRepresentable {
    /// The app's Apple ID; absent in sandbox.
    public var appAppleId: Int64?
    /// The app.
    public var bundleId: String
    /// The app's build number.
    public var bundleVersion: String?
    /// Sandbox or production.
    public var environment: AppStoreEnvironment
    /// The state of the subscription when the notification was signed.
    public var status: SubscriptionStatus?
    /// The signed transaction of the event, which may be an older one.
    public var signedTransactionInfo: String?
    /// The current signed renewal information of the subscription.
    public var signedRenewalInfo: String?
    /// Why the customer requests a refund.
    public var consumptionRequestReason: ConsumptionRequestReason?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        bundleId: String,
        environment: AppStoreEnvironment,
        appAppleId: Int64? = nil,
        bundleVersion: String? = nil,
        status: SubscriptionStatus? = nil,
        signedTransactionInfo: String? = nil,
        signedRenewalInfo: String? = nil,
        consumptionRequestReason: ConsumptionRequestReason? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.bundleId = bundleId
        self.environment = environment
        self.appAppleId = appAppleId
        self.bundleVersion = bundleVersion
        self.status = status
        self.signedTransactionInfo = signedTransactionInfo
        self.signedRenewalInfo = signedRenewalInfo
        self.consumptionRequestReason = consumptionRequestReason
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        appAppleId = try fields.optional("appAppleId")
        bundleId = try fields.require("bundleId")
        bundleVersion = try fields.optional("bundleVersion")
        environment = try fields.require("environment")
        status = try fields.optional("status")
        signedTransactionInfo = try fields.optional("signedTransactionInfo")
        signedRenewalInfo = try fields.optional("signedRenewalInfo")
        consumptionRequestReason = try fields.optional("consumptionRequestReason")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("appAppleId", appAppleId)
        object.put("bundleId", bundleId)
        object.put("bundleVersion", bundleVersion)
        object.put("environment", environment)
        object.put("status", status)
        object.put("signedTransactionInfo", signedTransactionInfo)
        object.put("signedRenewalInfo", signedRenewalInfo)
        object.put("consumptionRequestReason", consumptionRequestReason)
        object.put(unknownFields: unknownFields)
        return object
    }
}
