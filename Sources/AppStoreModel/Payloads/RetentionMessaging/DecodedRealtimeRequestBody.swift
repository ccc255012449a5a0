/// What Apple asks while a customer looks at the page where a subscription is cancelled: which message shall it show?
///
/// It names the app by its number only: there is no bundle identifier in it.
///
/// - Source: Retention Messaging API, DecodedRealtimeRequestBody; each property is the field of the same name.
public struct DecodedRealtimeRequestBody: JSONRepresentable {
    /// The customer's subscription.
    public var originalTransactionId: String
    /// The app's number.
    public var appAppleId: Int64
    /// The product that the customer is about to cancel.
    public var productId: String
    /// The device's language and region, such as `en-US`.
    public var userLocale: String
    /// Identifies the request, a UUID of Apple's.
    public var requestIdentifier: String
    /// Sandbox or production.
    public var environment: AppStoreEnvironment
    /// When Apple signed, in milliseconds since 1970 (UTC).
    public var signedDate: Int64
    /// What this version of the model does not know.
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

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
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
