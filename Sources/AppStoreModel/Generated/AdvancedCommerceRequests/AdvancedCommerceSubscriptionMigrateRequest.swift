// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Migrates an ordinary subscription to Advanced Commerce.
///
/// - Source: Advanced Commerce API, SubscriptionMigrateRequest; each property is the field of the same name.
public struct AdvancedCommerceSubscriptionMigrateRequest: JSONRepresentable {
    /// Identifies the request.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The generic Advanced Commerce product of the migrated subscription.
    public var targetProductId: String
    /// The tax code, from Apple's list.
    public var taxCode: String
    /// The descriptors of the subscription.
    public var descriptors: AdvancedCommerceSubscriptionMigrateDescriptors
    /// The items, at least one.
    public var items: [AdvancedCommerceSubscriptionMigrateItem]
    /// The items from the next renewal on, if they differ.
    public var renewalItems: [AdvancedCommerceSubscriptionMigrateRenewalItem]?
    /// The customer's storefront, ISO 3166-1 alpha-3.
    public var storefront: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        requestInfo: AdvancedCommerceRequestInfo,
        targetProductId: String,
        taxCode: String,
        descriptors: AdvancedCommerceSubscriptionMigrateDescriptors,
        items: [AdvancedCommerceSubscriptionMigrateItem],
        renewalItems: [AdvancedCommerceSubscriptionMigrateRenewalItem]? = nil,
        storefront: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.requestInfo = requestInfo
        self.targetProductId = targetProductId
        self.taxCode = taxCode
        self.descriptors = descriptors
        self.items = items
        self.renewalItems = renewalItems
        self.storefront = storefront
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        requestInfo = try fields.require("requestInfo")
        targetProductId = try fields.require("targetProductId")
        taxCode = try fields.require("taxCode")
        descriptors = try fields.require("descriptors")
        items = try fields.require("items")
        renewalItems = try fields.optional("renewalItems")
        storefront = try fields.optional("storefront")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("requestInfo", requestInfo)
        object.put("targetProductId", targetProductId)
        object.put("taxCode", taxCode)
        object.put("descriptors", descriptors)
        object.put("items", items)
        object.put("renewalItems", renewalItems)
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
        try descriptors.checkFields()
        try FieldRule.check(items, empty: .atLeastOneItem)
        for element in items { try element.checkFields() }
        try FieldRule.check(items.map(\.sku), repeated: .itemCannotBeSpecifiedMultipleTimes)
        try FieldRule.check(renewalItems, empty: .atLeastOneItem)
        for element in renewalItems ?? [] { try element.checkFields() }
        try FieldRule.check(renewalItems?.map(\.sku), repeated: .itemCannotBeSpecifiedMultipleTimes)
    }
}
