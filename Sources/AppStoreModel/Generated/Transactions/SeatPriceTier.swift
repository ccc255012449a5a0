// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// A number of seats at one price.
///
/// - Source: App Store Server Notifications, priceTiers; each property is the field of the same name.
public struct SeatPriceTier: JSONRepresentable {
    /// The price of a seat, in thousandths of the currency's unit.
    public var price: Int64?
    /// The number of seats at this price.
    public var quantity: Int32?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(price: Int64? = nil, quantity: Int32? = nil, unknownFields: JSONObject = JSONObject()) {
        self.price = price
        self.quantity = quantity
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        price = try fields.optional("price")
        quantity = try fields.optional("quantity")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("price", price)
        object.put("quantity", quantity)
        object.put(unknownFields: unknownFields)
        return object
    }
}
