// Generated from Schema/advanced-commerce.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// A pending price increase of an Advanced Commerce item.
///
/// - Source: Advanced Commerce API, priceIncreaseInfo; each property is the field of the same name.
public struct AdvancedCommercePriceIncreaseInfo: JSONRepresentable {
    /// The items that depend on the customer's consent.
    public var dependentSKUs: [String]?
    /// The new price, in thousandths of the currency's unit.
    public var price: Int64?
    /// Its status.
    public var status: AdvancedCommercePriceIncreaseStatus?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        dependentSKUs: [String]? = nil,
        price: Int64? = nil,
        status: AdvancedCommercePriceIncreaseStatus? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.dependentSKUs = dependentSKUs
        self.price = price
        self.status = status
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        dependentSKUs = try fields.optional("dependentSKUs")
        price = try fields.optional("price")
        status = try fields.optional("status")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("dependentSKUs", dependentSKUs)
        object.put("price", price)
        object.put("status", status)
        object.put(unknownFields: unknownFields)
        return object
    }
}
