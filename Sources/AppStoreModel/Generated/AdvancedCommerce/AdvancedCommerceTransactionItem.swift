// Generated from Schema/advanced-commerce.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// One item of an Advanced Commerce purchase.
///
/// - Source: Advanced Commerce API, items of a transaction; each property is the field of the same name.
public struct AdvancedCommerceTransactionItem: JSONRepresentable {
    /// The developer's SKU of the item.
    public var sku: String?
    /// The description.
    public var description: String?
    /// Its name.
    public var displayName: String?
    /// The offer that applied.
    public var offer: AdvancedCommerceOffer?
    /// Its price, in thousandths of the currency's unit.
    public var price: Int64?
    /// The refunds.
    public var refunds: [AdvancedCommerceRefund]?
    /// When it was revoked, in milliseconds since 1970 (UTC).
    public var revocationDate: Int64?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        sku: String? = nil,
        description: String? = nil,
        displayName: String? = nil,
        offer: AdvancedCommerceOffer? = nil,
        price: Int64? = nil,
        refunds: [AdvancedCommerceRefund]? = nil,
        revocationDate: Int64? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.sku = sku
        self.description = description
        self.displayName = displayName
        self.offer = offer
        self.price = price
        self.refunds = refunds
        self.revocationDate = revocationDate
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        sku = try fields.optional("SKU")
        description = try fields.optional("description")
        displayName = try fields.optional("displayName")
        offer = try fields.optional("offer")
        price = try fields.optional("price")
        refunds = try fields.optional("refunds")
        revocationDate = try fields.optionalDate("revocationDate")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("SKU", sku)
        object.put("description", description)
        object.put("displayName", displayName)
        object.put("offer", offer)
        object.put("price", price)
        object.put("refunds", refunds)
        object.put("revocationDate", revocationDate)
        object.put(unknownFields: unknownFields)
        return object
    }
}
