// Generated from Schema/advanced-commerce.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The future items of an Advanced Commerce subscription.
///
/// - Source: Advanced Commerce API, advancedCommerceInfo of renewal information; each property is the field of the same
///   name.
public struct AdvancedCommerceRenewalInfo: JSONRepresentable {
    /// Proves that a later request is based on this state.
    public var consistencyToken: String?
    /// The descriptors of the subscription.
    public var descriptors: AdvancedCommerceDescriptors?
    /// The renewing items.
    public var items: [AdvancedCommerceRenewalItem]?
    /// The length of a period.
    public var period: AdvancedCommercePeriod?
    /// The UUID of the request that created it.
    public var requestReferenceId: String?
    /// The tax code.
    public var taxCode: String?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        consistencyToken: String? = nil,
        descriptors: AdvancedCommerceDescriptors? = nil,
        items: [AdvancedCommerceRenewalItem]? = nil,
        period: AdvancedCommercePeriod? = nil,
        requestReferenceId: String? = nil,
        taxCode: String? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.consistencyToken = consistencyToken
        self.descriptors = descriptors
        self.items = items
        self.period = period
        self.requestReferenceId = requestReferenceId
        self.taxCode = taxCode
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        consistencyToken = try fields.optional("consistencyToken")
        descriptors = try fields.optional("descriptors")
        items = try fields.optional("items")
        period = try fields.optional("period")
        requestReferenceId = try fields.optional("requestReferenceId")
        taxCode = try fields.optional("taxCode")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("consistencyToken", consistencyToken)
        object.put("descriptors", descriptors)
        object.put("items", items)
        object.put("period", period)
        object.put("requestReferenceId", requestReferenceId)
        object.put("taxCode", taxCode)
        object.put(unknownFields: unknownFields)
        return object
    }
}
