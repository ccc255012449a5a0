// Generated from Schema/consumption.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The body of Send Consumption Information V1, which is still used for Advanced Commerce purchases.
///
/// - Source: App Store Server API, ConsumptionRequestV1; each property is the field of the same name.
public struct ConsumptionRequestV1: JSONRepresentable {
    /// Whether the customer consented to sharing these data; Apple accepts only true.
    public var customerConsented: Bool
    /// The consumed part.
    public var consumptionStatus: ConsumptionStatus
    /// The platform of the consumption.
    public var platform: ConsumptionPlatform
    /// Whether the customer could try it before.
    public var sampleContentProvided: Bool
    /// Whether the customer received a working purchase.
    public var deliveryStatus: DeliveryStatusV1
    /// The UUID that your server assigned to the customer, or an empty text.
    public var appAccountToken: String
    /// How long the customer has had an account.
    public var accountTenure: AccountTenure
    /// How long the customer has used the app.
    public var playTime: PlayTime
    /// The customer's refunds in the app.
    public var lifetimeDollarsRefunded: LifetimeDollarsRefunded
    /// The customer's payments in the app.
    public var lifetimeDollarsPurchased: LifetimeDollarsPurchased
    /// The state of the customer's account.
    public var userStatus: UserStatus
    /// Your preference for Apple's decision; since 1.11.
    public var refundPreference: RefundPreferenceV1?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        customerConsented: Bool,
        consumptionStatus: ConsumptionStatus,
        platform: ConsumptionPlatform,
        sampleContentProvided: Bool,
        deliveryStatus: DeliveryStatusV1,
        appAccountToken: String,
        accountTenure: AccountTenure,
        playTime: PlayTime,
        lifetimeDollarsRefunded: LifetimeDollarsRefunded,
        lifetimeDollarsPurchased: LifetimeDollarsPurchased,
        userStatus: UserStatus,
        refundPreference: RefundPreferenceV1? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.customerConsented = customerConsented
        self.consumptionStatus = consumptionStatus
        self.platform = platform
        self.sampleContentProvided = sampleContentProvided
        self.deliveryStatus = deliveryStatus
        self.appAccountToken = appAccountToken
        self.accountTenure = accountTenure
        self.playTime = playTime
        self.lifetimeDollarsRefunded = lifetimeDollarsRefunded
        self.lifetimeDollarsPurchased = lifetimeDollarsPurchased
        self.userStatus = userStatus
        self.refundPreference = refundPreference
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        customerConsented = try fields.require("customerConsented")
        consumptionStatus = try fields.require("consumptionStatus")
        platform = try fields.require("platform")
        sampleContentProvided = try fields.require("sampleContentProvided")
        deliveryStatus = try fields.require("deliveryStatus")
        appAccountToken = try fields.require("appAccountToken")
        accountTenure = try fields.require("accountTenure")
        playTime = try fields.require("playTime")
        lifetimeDollarsRefunded = try fields.require("lifetimeDollarsRefunded")
        lifetimeDollarsPurchased = try fields.require("lifetimeDollarsPurchased")
        userStatus = try fields.require("userStatus")
        refundPreference = try fields.optional("refundPreference")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("customerConsented", customerConsented)
        object.put("consumptionStatus", consumptionStatus)
        object.put("platform", platform)
        object.put("sampleContentProvided", sampleContentProvided)
        object.put("deliveryStatus", deliveryStatus)
        object.put("appAccountToken", appAccountToken)
        object.put("accountTenure", accountTenure)
        object.put("playTime", playTime)
        object.put("lifetimeDollarsRefunded", lifetimeDollarsRefunded)
        object.put("lifetimeDollarsPurchased", lifetimeDollarsPurchased)
        object.put("userStatus", userStatus)
        object.put("refundPreference", refundPreference)
        object.put(unknownFields: unknownFields)
        return object
    }
}
