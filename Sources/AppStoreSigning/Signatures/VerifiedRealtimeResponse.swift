public import AppStoreModel

/// The content of a valid answer to a realtime request.
public struct VerifiedRealtimeResponse: Hashable, Sendable {
    /// The content beside the message.
    public enum Content: Hashable, Sendable {
        /// Nothing.
        case message
        /// Another product to switch to.
        case alternateProduct(productId: String, billingPlanType: BillingPlanType?)
        /// A promotional offer with a valid signature as a JWS.
        case promotionalOffer(VerifiedStoreKitRequest<PromotionalOfferV2>)
        /// A promotional offer with a valid version 1 signature.
        case firstFormOffer(PromotionalOfferSignature)
        /// Advanced Commerce data, which is not checked: Apple does not document its form.
        case advancedCommerce(data: String)
    }

    /// The message, a UUID in lower case.
    public let messageIdentifier: String

    /// The content beside the message.
    public let content: Content
}
