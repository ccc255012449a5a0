// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The answer to a realtime request: the message that Apple shows to the customer.
///
/// Exactly one of its four objects is present; ``message(_:)`` and the similar methods create such answers. If an
/// answer is late, is not HTTP 200 or is invalid, Apple shows the default message.
///
/// - Source: Retention Messaging API, RealtimeResponseBody; each property is the field of the same name.
public struct RealtimeResponseBody: JSONRepresentable {
    /// A text, optionally with an image.
    public var message: Message?
    /// An alternate product.
    public var alternateProduct: AlternateProduct?
    /// A promotional offer.
    public var promotionalOffer: PromotionalOffer?
    /// An offer or another plan of an Advanced Commerce subscription.
    public var advancedCommerceInfo: AdvancedCommerceInfo?
    /// Fields that this version of the model does not know.
    public var unknownFields: JSONObject

    /// Makes the object from its fields.
    public init(
        message: Message? = nil,
        alternateProduct: AlternateProduct? = nil,
        promotionalOffer: PromotionalOffer? = nil,
        advancedCommerceInfo: AdvancedCommerceInfo? = nil,
        unknownFields: JSONObject = JSONObject()
    ) {
        self.message = message
        self.alternateProduct = alternateProduct
        self.promotionalOffer = promotionalOffer
        self.advancedCommerceInfo = advancedCommerceInfo
        self.unknownFields = unknownFields
    }

    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` with the missing or invalid field.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        message = try fields.optional("message")
        alternateProduct = try fields.optional("alternateProduct")
        promotionalOffer = try fields.optional("promotionalOffer")
        advancedCommerceInfo = try fields.optional("advancedCommerceInfo")
        unknownFields = fields.rest
    }

    /// The object as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object.put("message", message)
        object.put("alternateProduct", alternateProduct)
        object.put("promotionalOffer", promotionalOffer)
        object.put("advancedCommerceInfo", advancedCommerceInfo)
        object.put(unknownFields: unknownFields)
        return object
    }
}
