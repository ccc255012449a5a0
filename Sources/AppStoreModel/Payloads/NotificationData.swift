/// The purchase that a notification is about.
///
/// - Source: App Store Server Notifications, data; each property is the field of the same name.
public struct NotificationData: JSONRepresentable {
    /// The app's number; absent in sandbox.
    public var appAppleId: Int64?
    /// The app.
    public var bundleId: String
    /// The app's build.
    public var bundleVersion: String?
    /// Sandbox or production.
    public var environment: AppStoreEnvironment
    /// The state of the subscription when the notification was signed.
    public var status: SubscriptionStatus?
    /// The signed transaction that the event concerns, which may be an older one.
    public var signedTransactionInfo: String?
    /// The signed renewal information of the subscription now.
    public var signedRenewalInfo: String?
    /// Why the customer asks for a refund.
    public var consumptionRequestReason: ConsumptionRequestReason?
    /// What this version of the model does not know.
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

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
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
