extension RealtimeResponseBody {
    /// Creates an answer with only a message.
    public static func message(_ messageIdentifier: String) -> RealtimeResponseBody {
        RealtimeResponseBody(message: Message(messageIdentifier: messageIdentifier))
    }

    /// Creates an answer with a message and an alternate product.
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

    /// Creates an answer with a message and a promotional offer that is signed as a JWS.
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

    /// Creates an answer with a message and a promotional offer with a version 1 signature.
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

    /// Creates an answer with a message and a signed Advanced Commerce request.
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
