// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The payload of a signed app transaction: a customer's download of an app.
///
/// Apple's server signs it for Get App Transaction Info. StoreKit on a device returns a form with more fields, and
/// Xcode signs one with fewer. A field is optional here if one of the three omits it.
///
/// - Source: App Store Server API, JWSAppTransactionDecodedPayload; each property is the field of the same name.
public struct JWSAppTransactionDecodedPayload: JSONRepresentable {
    /// The environment, by its name in app transactions; some older versions of iOS omit it.
    public var receiptType: AppStoreEnvironment?
    /// The app's Apple ID; absent in Xcode.
    public var appAppleId: Int64?
    /// The app.
    public var bundleId: String
    /// Identifies the customer's download of the app, permanently for each Apple Account and app; absent in Xcode.
    public var appTransactionId: String?
    /// The first version of the app that the customer got: `CFBundleShortVersionString` in macOS, otherwise
    /// `CFBundleVersion`.
    public var originalApplicationVersion: String
    /// When the customer first got the app, in milliseconds since 1970 (UTC); far in the past in Xcode.
    public var originalPurchaseDate: Int64
    /// The platform on which the customer first got the app.
    public var originalPlatform: PurchasePlatform?
    /// When the customer ordered the app before its release, in milliseconds since 1970 (UTC).
    public var preorderDate: Int64?
    /// When it was signed, in milliseconds since 1970 (UTC).
    public var receiptCreationDate: Int64
    /// The type of store; only from the server.
    public var storeType: StoreType?
    /// The running version of the app; only on a device.
    public var applicationVersion: String?
    /// The App Store's number of that version; only on a device.
    public var versionExternalIdentifier: Int64?
    /// Binds the app transaction to a device, base64; only on a device.
    public var deviceVerification: String?
    /// The UUID, in lower case, used for ``deviceVerification``; only on a device.
    public var deviceVerificationNonce: String?
    /// When the app transaction was requested, in milliseconds since 1970 (UTC); only in Xcode.
    public var requestDate: Int64?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        bundleId: String,
        originalApplicationVersion: String,
        originalPurchaseDate: Int64,
        receiptCreationDate: Int64,
        receiptType: AppStoreEnvironment? = nil,
        appAppleId: Int64? = nil,
        appTransactionId: String? = nil,
        originalPlatform: PurchasePlatform? = nil,
        preorderDate: Int64? = nil,
        storeType: StoreType? = nil,
        applicationVersion: String? = nil,
        versionExternalIdentifier: Int64? = nil,
        deviceVerification: String? = nil,
        deviceVerificationNonce: String? = nil,
        requestDate: Int64? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.bundleId = bundleId
        self.originalApplicationVersion = originalApplicationVersion
        self.originalPurchaseDate = originalPurchaseDate
        self.receiptCreationDate = receiptCreationDate
        self.receiptType = receiptType
        self.appAppleId = appAppleId
        self.appTransactionId = appTransactionId
        self.originalPlatform = originalPlatform
        self.preorderDate = preorderDate
        self.storeType = storeType
        self.applicationVersion = applicationVersion
        self.versionExternalIdentifier = versionExternalIdentifier
        self.deviceVerification = deviceVerification
        self.deviceVerificationNonce = deviceVerificationNonce
        self.requestDate = requestDate
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        receiptType = try fields.optional("receiptType")
        appAppleId = try fields.optional("appAppleId")
        bundleId = try fields.require("bundleId")
        appTransactionId = try fields.optional("appTransactionId")
        originalApplicationVersion = try fields.require("originalApplicationVersion")
        originalPurchaseDate = try fields.requireDate("originalPurchaseDate")
        originalPlatform = try fields.optional("originalPlatform")
        preorderDate = try fields.optionalDate("preorderDate")
        receiptCreationDate = try fields.requireDate("receiptCreationDate")
        storeType = try fields.optional("storeType")
        applicationVersion = try fields.optional("applicationVersion")
        versionExternalIdentifier = try fields.optional("versionExternalIdentifier")
        deviceVerification = try fields.optional("deviceVerification")
        deviceVerificationNonce = try fields.optional("deviceVerificationNonce")
        requestDate = try fields.optionalDate("requestDate")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("receiptType", receiptType)
        object.put("appAppleId", appAppleId)
        object.put("bundleId", bundleId)
        object.put("appTransactionId", appTransactionId)
        object.put("originalApplicationVersion", originalApplicationVersion)
        object.put("originalPurchaseDate", originalPurchaseDate)
        object.put("originalPlatform", originalPlatform)
        object.put("preorderDate", preorderDate)
        object.put("receiptCreationDate", receiptCreationDate)
        object.put("storeType", storeType)
        object.put("applicationVersion", applicationVersion)
        object.put("versionExternalIdentifier", versionExternalIdentifier)
        object.put("deviceVerification", deviceVerification)
        object.put("deviceVerificationNonce", deviceVerificationNonce)
        object.put("requestDate", requestDate)
        object.put(unknownFields: unknownFields)
        return object
    }
}
