// Generated from Schema/advanced-commerce.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The items of an Advanced Commerce purchase.
///
/// - Source: Advanced Commerce API, advancedCommerceInfo of a transaction; each property is the field of the same name.
public struct AdvancedCommerceTransactionInfo: JSONRepresentable {
    /// The descriptors of the subscription.
    public var descriptors: AdvancedCommerceDescriptors?
    /// The tax, in thousandths of the currency's unit.
    public var estimatedTax: Int64?
    /// The purchased items.
    public var items: [AdvancedCommerceTransactionItem]?
    /// The length of a period.
    public var period: AdvancedCommercePeriod?
    /// The UUID of the request that created it.
    public var requestReferenceId: String?
    /// The tax code.
    public var taxCode: String?
    /// The price without tax, in thousandths of the currency's unit.
    public var taxExclusivePrice: Int64?
    /// The tax rate, a decimal number as text.
    public var taxRate: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        descriptors: AdvancedCommerceDescriptors? = nil,
        estimatedTax: Int64? = nil,
        items: [AdvancedCommerceTransactionItem]? = nil,
        period: AdvancedCommercePeriod? = nil,
        requestReferenceId: String? = nil,
        taxCode: String? = nil,
        taxExclusivePrice: Int64? = nil,
        taxRate: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.descriptors = descriptors
        self.estimatedTax = estimatedTax
        self.items = items
        self.period = period
        self.requestReferenceId = requestReferenceId
        self.taxCode = taxCode
        self.taxExclusivePrice = taxExclusivePrice
        self.taxRate = taxRate
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        descriptors = try fields.optional("descriptors")
        estimatedTax = try fields.optional("estimatedTax")
        items = try fields.optional("items")
        period = try fields.optional("period")
        requestReferenceId = try fields.optional("requestReferenceId")
        taxCode = try fields.optional("taxCode")
        taxExclusivePrice = try fields.optional("taxExclusivePrice")
        taxRate = try fields.optional("taxRate")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("descriptors", descriptors)
        object.put("estimatedTax", estimatedTax)
        object.put("items", items)
        object.put("period", period)
        object.put("requestReferenceId", requestReferenceId)
        object.put("taxCode", taxCode)
        object.put("taxExclusivePrice", taxExclusivePrice)
        object.put("taxRate", taxRate)
        object.put(unknownFields: unknownFields)
        return object
    }
}
