/// The answer to a real-time request: what Apple shall show to the customer.
///
/// Exactly one of its four objects is there; ``message(_:)`` and its siblings make such answers.
/// An answer that comes too late, is not HTTP 200 or is not understood makes Apple show the default message.
///
/// - Source: Retention Messaging API, RealtimeResponseBody; each property is the field of the same name.
public struct RealtimeResponseBody: JSONRepresentable {
    /// A text, perhaps with an image.
    public var message: Message?
    /// Another product to switch to.
    public var alternateProduct: AlternateProduct?
    /// A promotional offer.
    public var promotionalOffer: PromotionalOffer?
    /// An offer or another plan of an Advanced Commerce subscription.
    public var advancedCommerceInfo: AdvancedCommerceInfo?
    /// What this version of the model does not know.
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

    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` with the field that is missing or wrong.
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

extension RealtimeResponseBody {
    /// Answers with a message alone.
    public static func message(_ messageIdentifier: String) -> RealtimeResponseBody {
        RealtimeResponseBody(message: Message(messageIdentifier: messageIdentifier))
    }

    /// Answers with a message and a product to switch to.
    public static func alternateProduct(
        _ productId: String,
        message messageIdentifier: String,
        billingPlanType: BillingPlanType? = nil
    ) -> RealtimeResponseBody {
        RealtimeResponseBody(
            alternateProduct: AlternateProduct(
                messageIdentifier: messageIdentifier,
                productId: productId,
                billingPlanType: billingPlanType
            )
        )
    }

    /// Answers with a message and a promotional offer that is signed as a JWS.
    public static func promotionalOffer(
        signatureV2: String,
        message messageIdentifier: String
    ) -> RealtimeResponseBody {
        RealtimeResponseBody(
            promotionalOffer: PromotionalOffer(
                messageIdentifier: messageIdentifier,
                promotionalOfferSignatureV2: signatureV2
            )
        )
    }

    /// Answers with a message and a promotional offer that is signed in the older way.
    public static func promotionalOffer(
        signatureV1: PromotionalOfferSignatureV1,
        message messageIdentifier: String
    ) -> RealtimeResponseBody {
        RealtimeResponseBody(
            promotionalOffer: PromotionalOffer(
                messageIdentifier: messageIdentifier,
                promotionalOfferSignatureV1: signatureV1
            )
        )
    }

    /// Answers with a message and a signed Advanced Commerce request.
    public static func advancedCommerce(
        data advancedCommerceData: String,
        message messageIdentifier: String
    ) -> RealtimeResponseBody {
        RealtimeResponseBody(
            advancedCommerceInfo: AdvancedCommerceInfo(
                messageIdentifier: messageIdentifier,
                advancedCommerceData: advancedCommerceData
            )
        )
    }
}
