// Generated from Schema/renewal-extensions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The body of Extend Subscription Renewal Dates for All Active Subscribers.
///
/// - Source: App Store Server API, MassExtendRenewalDateRequest; each property is the field of the same name.
public struct MassExtendRenewalDateRequest: JSONRepresentable {
    /// The UUID of the order; repeated identifiers have no effect.
    ///
    /// - Source: App Store Server API, InvalidRequestIdentifierError: "needs to be a UUID".
    public var requestIdentifier: String
    /// The number of days, 1 to 90.
    public var extendByDays: Int32
    /// The reason.
    public var extendReasonCode: ExtendReasonCode
    /// The auto-renewable subscription.
    public var productId: String
    /// The storefronts, ISO 3166-1 alpha-3; all if absent, and never empty.
    public var storefrontCountryCodes: [String]?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        requestIdentifier: String,
        extendByDays: Int32,
        extendReasonCode: ExtendReasonCode,
        productId: String,
        storefrontCountryCodes: [String]? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.requestIdentifier = requestIdentifier
        self.extendByDays = extendByDays
        self.extendReasonCode = extendReasonCode
        self.productId = productId
        self.storefrontCountryCodes = storefrontCountryCodes
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        requestIdentifier = try fields.require("requestIdentifier")
        extendByDays = try fields.require("extendByDays")
        extendReasonCode = try fields.require("extendReasonCode")
        productId = try fields.require("productId")
        storefrontCountryCodes = try fields.optional("storefrontCountryCodes")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("requestIdentifier", requestIdentifier)
        object.put("extendByDays", extendByDays)
        object.put("extendReasonCode", extendReasonCode)
        object.put("productId", productId)
        object.put("storefrontCountryCodes", storefrontCountryCodes)
        object.put(unknownFields: unknownFields)
        return object
    }
}
