// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The seats of a multiseat subscription at its next renewal.
///
/// - Source: App Store Server Notifications, multiSeatInfo; each property is the field of the same name.
public struct RenewalMultiSeatInfo: JSONRepresentable {
    /// The seats by price.
    public var renewalPriceTiers: [SeatPriceTier]?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(renewalPriceTiers: [SeatPriceTier]? = nil, unknownFields: JSONObject = JSONObject()) {
        self.renewalPriceTiers = renewalPriceTiers
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        renewalPriceTiers = try fields.optional("renewalPriceTiers")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("renewalPriceTiers", renewalPriceTiers)
        object.put(unknownFields: unknownFields)
        return object
    }
}
