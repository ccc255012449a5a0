// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Sells a one-time charge.
///
/// The developer's server signs it, and the app passes it to StoreKit.
///
/// - Source: Advanced Commerce API, OneTimeChargeCreateRequest; each property is the field of the same name.
public struct AdvancedCommerceOneTimeChargeCreateRequest: AdvancedCommerceInAppRequest {
    /// The operation of the request.
    public var operation: AdvancedCommerceOperation
    /// The version of the request's format.
    public var version: String
    /// Identifies the request.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The currency of the prices, ISO 4217.
    public var currency: String
    /// The tax code, from Apple's list.
    public var taxCode: String
    /// The item.
    public var item: AdvancedCommerceOneTimeChargeItem
    /// The customer's storefront, ISO 3166-1 alpha-3.
    public var storefront: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        requestInfo: AdvancedCommerceRequestInfo,
        currency: String,
        taxCode: String,
        item: AdvancedCommerceOneTimeChargeItem,
        operation: AdvancedCommerceOperation = .createOneTimeCharge,
        version: String = AdvancedCommerceLimits.requestVersion,
        storefront: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.requestInfo = requestInfo
        self.currency = currency
        self.taxCode = taxCode
        self.item = item
        self.operation = operation
        self.version = version
        self.storefront = storefront
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        operation = try fields.require("operation")
        version = try fields.require("version")
        requestInfo = try fields.require("requestInfo")
        currency = try fields.require("currency")
        taxCode = try fields.require("taxCode")
        item = try fields.require("item")
        storefront = try fields.optional("storefront")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("operation", operation)
        object.put("version", version)
        object.put("requestInfo", requestInfo)
        object.put("currency", currency)
        object.put("taxCode", taxCode)
        object.put("item", item)
        object.put("storefront", storefront)
        object.put(unknownFields: unknownFields)
        return object
    }

    /// Checks the values of the fields, one by one.
    ///
    /// - Throws: Apple's error for the first value that it refuses.
    package func checkFields() throws(AppStoreServerAPIError) {
        try requestInfo.checkFields()
        try FieldRule.check(taxCode, empty: .invalidTaxProductCode)
        try item.checkFields()
    }
}
