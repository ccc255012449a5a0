// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Apple's realtime request while a customer is on the cancellation page of a subscription: which message to show.
///
/// It identifies the app by its Apple ID only, without a bundle identifier.
///
/// - Source: Retention Messaging API, DecodedRealtimeRequestBody; each property is the field of the same name.
public struct DecodedRealtimeRequestBody: JSONRepresentable {
    /// The customer's subscription.
    public var originalTransactionId: String
    /// The app's Apple ID.
    public var appAppleId: Int64
    /// The product that the customer is about to cancel.
    public var productId: String
    /// The device's locale, for example `en-US`.
    public var userLocale: String
    /// Apple's UUID of the request.
    public var requestIdentifier: String
    /// Sandbox or production.
    public var environment: AppStoreEnvironment
    /// When Apple signed, in milliseconds since 1970 (UTC).
    public var signedDate: Int64
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        originalTransactionId: String,
        appAppleId: Int64,
        productId: String,
        userLocale: String,
        requestIdentifier: String,
        environment: AppStoreEnvironment,
        signedDate: Int64,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.originalTransactionId = originalTransactionId
        self.appAppleId = appAppleId
        self.productId = productId
        self.userLocale = userLocale
        self.requestIdentifier = requestIdentifier
        self.environment = environment
        self.signedDate = signedDate
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        originalTransactionId = try fields.require("originalTransactionId")
        appAppleId = try fields.require("appAppleId")
        productId = try fields.require("productId")
        userLocale = try fields.require("userLocale")
        requestIdentifier = try fields.require("requestIdentifier")
        environment = try fields.require("environment")
        signedDate = try fields.requireDate("signedDate")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("originalTransactionId", originalTransactionId)
        object.put("appAppleId", appAppleId)
        object.put("productId", productId)
        object.put("userLocale", userLocale)
        object.put("requestIdentifier", requestIdentifier)
        object.put("environment", environment)
        object.put("signedDate", signedDate)
        object.put(unknownFields: unknownFields)
        return object
    }
}
