// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The seats in a transaction of a multiseat subscription.
///
/// - Source: App Store Server Notifications, multiSeatInfo; each property is the field of the same name.
public struct TransactionMultiSeatInfo: JSONRepresentable {
    /// Who invites the members.
    public var invitationManagement: InvitationManagement?
    /// The seats by price.
    public var priceTiers: [SeatPriceTier]?
    /// The number of refunded seats.
    public var revokedSeatQuantity: Int32?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        invitationManagement: InvitationManagement? = nil,
        priceTiers: [SeatPriceTier]? = nil,
        revokedSeatQuantity: Int32? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.invitationManagement = invitationManagement
        self.priceTiers = priceTiers
        self.revokedSeatQuantity = revokedSeatQuantity
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        invitationManagement = try fields.optional("invitationManagement")
        priceTiers = try fields.optional("priceTiers")
        revokedSeatQuantity = try fields.optional("revokedSeatQuantity")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("invitationManagement", invitationManagement)
        object.put("priceTiers", priceTiers)
        object.put("revokedSeatQuantity", revokedSeatQuantity)
        object.put(unknownFields: unknownFields)
        return object
    }
}
