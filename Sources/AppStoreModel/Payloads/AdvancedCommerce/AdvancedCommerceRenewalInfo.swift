/// What an Advanced Commerce subscription will consist of.
///
/// - Source: Advanced Commerce API, advancedCommerceInfo of renewal information; each property is the field of the same
///   name.
public struct AdvancedCommerceRenewalInfo: JSONRepresentable {
    /// Proves that a later request knows this state.
    public var consistencyToken: String?
    /// How the subscription is presented.
    public var descriptors: AdvancedCommerceDescriptors?
    /// What renews.
    public var items: [AdvancedCommerceRenewalItem]?
    /// How long a period is.
    public var period: AdvancedCommercePeriod?
    /// The UUID of the request that made it.
    public var requestReferenceId: String?
    /// How it is taxed.
    public var taxCode: String?
    /// What this version of the model does not know.
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

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
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
