// Generated from Schema/advanced-commerce-requests.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Changes the items of a subscription.
///
/// The developer's server signs it, and the app passes it to StoreKit.
///
/// - Source: Advanced Commerce API, SubscriptionModifyInAppRequest; each property is the field of the same name.
public struct AdvancedCommerceSubscriptionModifyInAppRequest: AdvancedCommerceInAppRequest {
    /// The operation of the request.
    public var operation: AdvancedCommerceOperation
    /// The version of the request's format.
    public var version: String
    /// Identifies the request.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// A transaction of the subscription.
    public var transactionId: String
    /// Whether the current period continues, instead of a new one that starts now.
    public var retainBillingCycle: Bool
    /// The items to add.
    public var addItems: [AdvancedCommerceSubscriptionModifyAddItem]?
    /// The items to replace.
    public var changeItems: [AdvancedCommerceSubscriptionModifyChangeItem]?
    /// The items to remove.
    public var removeItems: [AdvancedCommerceSubscriptionModifyRemoveItem]?
    /// The new length of a period.
    public var periodChange: AdvancedCommerceSubscriptionModifyPeriodChange?
    /// The new descriptors of the subscription.
    public var descriptors: AdvancedCommerceSubscriptionModifyDescriptors?
    /// The new tax code, from Apple's list.
    public var taxCode: String?
    /// The currency of the prices, ISO 4217.
    public var currency: String?
    /// The customer's storefront, ISO 3166-1 alpha-3.
    public var storefront: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        requestInfo: AdvancedCommerceRequestInfo,
        transactionId: String,
        retainBillingCycle: Bool,
        operation: AdvancedCommerceOperation = .modifySubscription,
        version: String = AdvancedCommerceLimits.requestVersion,
        addItems: [AdvancedCommerceSubscriptionModifyAddItem]? = nil,
        changeItems: [AdvancedCommerceSubscriptionModifyChangeItem]? = nil,
        removeItems: [AdvancedCommerceSubscriptionModifyRemoveItem]? = nil,
        periodChange: AdvancedCommerceSubscriptionModifyPeriodChange? = nil,
        descriptors: AdvancedCommerceSubscriptionModifyDescriptors? = nil,
        taxCode: String? = nil,
        currency: String? = nil,
        storefront: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.requestInfo = requestInfo
        self.transactionId = transactionId
        self.retainBillingCycle = retainBillingCycle
        self.operation = operation
        self.version = version
        self.addItems = addItems
        self.changeItems = changeItems
        self.removeItems = removeItems
        self.periodChange = periodChange
        self.descriptors = descriptors
        self.taxCode = taxCode
        self.currency = currency
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
        transactionId = try fields.require("transactionId")
        retainBillingCycle = try fields.require("retainBillingCycle")
        addItems = try fields.optional("addItems")
        changeItems = try fields.optional("changeItems")
        removeItems = try fields.optional("removeItems")
        periodChange = try fields.optional("periodChange")
        descriptors = try fields.optional("descriptors")
        taxCode = try fields.optional("taxCode")
        currency = try fields.optional("currency")
        storefront = try fields.optional("storefront")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("operation", operation)
        object.put("version", version)
        object.put("requestInfo", requestInfo)
        object.put("transactionId", transactionId)
        object.put("retainBillingCycle", retainBillingCycle)
        object.put("addItems", addItems)
        object.put("changeItems", changeItems)
        object.put("removeItems", removeItems)
        object.put("periodChange", periodChange)
        object.put("descriptors", descriptors)
        object.put("taxCode", taxCode)
        object.put("currency", currency)
        object.put("storefront", storefront)
        object.put(unknownFields: unknownFields)
        return object
    }

    /// Checks the values of the fields, one by one.
    ///
    /// - Throws: Apple's error for the first value that it refuses.
    package func checkFields() throws(AppStoreServerAPIError) {
        try requestInfo.checkFields()
        try FieldRule.check(addItems, empty: .emptyAddChangeItems)
        for element in addItems ?? [] { try element.checkFields() }
        try FieldRule.check(changeItems, empty: .emptyAddChangeItems)
        for element in changeItems ?? [] { try element.checkFields() }
        try FieldRule.check(removeItems, empty: .atLeastOneItem)
        for element in removeItems ?? [] { try element.checkFields() }
        try periodChange?.checkFields()
        try descriptors?.checkFields()
        try FieldRule.check(taxCode, empty: .invalidTaxProductCode)
    }
}
