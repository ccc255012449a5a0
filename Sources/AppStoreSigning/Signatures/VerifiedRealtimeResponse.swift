public import AppStoreModel

/// What an acceptable answer to a real-time request shows to the customer.
public struct VerifiedRealtimeResponse: Hashable, Sendable {
    /// What comes with the message.
    public enum Content: Hashable, Sendable {
        /// Nothing more.
        case message
        /// Another product to switch to.
        case alternateProduct(productId: String, billingPlanType: BillingPlanType?)
        /// A promotional offer with a good signature as a JWS.
        case promotionalOffer(VerifiedStoreKitRequest<PromotionalOfferV2>)
        /// A promotional offer with a good signature in its first form.
        case firstFormOffer(PromotionalOfferSignature)
        /// Data for Advanced Commerce, which is not looked into: Apple does not document its form.
        case advancedCommerce(data: String)
    }

    /// The message, a UUID in lower case.
    public let messageIdentifier: String

    /// What comes with it.
    public let content: Content
}
