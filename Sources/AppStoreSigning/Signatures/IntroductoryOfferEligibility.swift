public import AppStoreModel

/// A customer's eligibility for the introductory offer, which overrides the App Store's decision.
///
/// - Source: StoreKit, Generating JWS to sign App Store requests; each property is the claim of the same name.
public struct IntroductoryOfferEligibility: StoreKitRequestClaims {
    /// The purpose, sent as `aud`.
    public static let audience = "introductory-offer-eligibility"

    /// The subscription.
    public var productId: String

    /// Whether the customer is eligible for the introductory offer.
    public var allowIntroductoryOffer: Bool

    /// Any transaction of the customer, or the customer's app transaction identifier.
    public var transactionId: String

    /// Makes an eligibility of a customer.
    public init(productId: String, allowIntroductoryOffer: Bool, transactionId: String) {
        self.productId = productId
        self.allowIntroductoryOffer = allowIntroductoryOffer
        self.transactionId = transactionId
    }

    /// Reads the claims of this kind from the claims of a JWS.
    ///
    /// - Throws: `ModelError` with the missing or invalid claim.
    public init(claims: JSONObject) throws(ModelError) {
        var fields = JSONFields(claims)
        productId = try fields.require("productId")
        allowIntroductoryOffer = try fields.require("allowIntroductoryOffer")
        transactionId = try fields.require("transactionId")
    }

    /// The claims.
    public var claims: JSONObject {
        var object = JSONObject()
        object.put("productId", productId)
        object.put("allowIntroductoryOffer", allowIntroductoryOffer)
        object.put("transactionId", transactionId)
        return object
    }
}
