// Generated from Schema/external-purchase.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// A token for purchases outside the App Store.
///
/// - Source: App Store Server Notifications, externalPurchaseToken; each property is the field of the same name.
public struct ExternalPurchaseToken: JSONRepresentable {
    /// Identifies the token; sandbox tokens start with `SANDBOX`.
    public var externalPurchaseId: String
    /// When the token was created, in milliseconds since 1970 (UTC).
    public var tokenCreationDate: Int64?
    /// The app's Apple ID.
    public var appAppleId: Int64?
    /// The app.
    public var bundleId: String
    /// When a custom-link token expires, in milliseconds since 1970 (UTC).
    public var tokenExpirationDate: Int64?
    /// The type of a custom-link token.
    public var tokenType: ExternalPurchaseTokenType?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        externalPurchaseId: String,
        bundleId: String,
        tokenCreationDate: Int64? = nil,
        appAppleId: Int64? = nil,
        tokenExpirationDate: Int64? = nil,
        tokenType: ExternalPurchaseTokenType? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.externalPurchaseId = externalPurchaseId
        self.bundleId = bundleId
        self.tokenCreationDate = tokenCreationDate
        self.appAppleId = appAppleId
        self.tokenExpirationDate = tokenExpirationDate
        self.tokenType = tokenType
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        externalPurchaseId = try fields.require("externalPurchaseId")
        tokenCreationDate = try fields.optionalDate("tokenCreationDate")
        appAppleId = try fields.optional("appAppleId")
        bundleId = try fields.require("bundleId")
        tokenExpirationDate = try fields.optionalDate("tokenExpirationDate")
        tokenType = try fields.optional("tokenType")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("externalPurchaseId", externalPurchaseId)
        object.put("tokenCreationDate", tokenCreationDate)
        object.put("appAppleId", appAppleId)
        object.put("bundleId", bundleId)
        object.put("tokenExpirationDate", tokenExpirationDate)
        object.put("tokenType", tokenType)
        object.put(unknownFields: unknownFields)
        return object
    }
}
