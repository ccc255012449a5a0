public import AppStoreModel

/// A promotional offer for one customer, signed as a JWS.
///
/// - Source: StoreKit, Generating JWS to sign App Store requests; each property is the claim of the same name.
public struct PromotionalOfferV2: StoreKitRequestClaims {
    /// The purpose, sent as `aud`.
    public static let audience = "promotional-offer"

    /// The subscription.
    public var productId: String

    /// The offer identifier from App Store Connect.
    public var offerIdentifier: String

    /// Any transaction of the customer, or the customer's app transaction identifier.
    ///
    /// Optional but recommended: without it, anyone with the JWS can redeem it.
    public var transactionId: String?

    /// Makes an offer for a customer.
    public init(productId: String, offerIdentifier: String, transactionId: String? = nil) {
        self.productId = productId
        self.offerIdentifier = offerIdentifier
        self.transactionId = transactionId
    }

    /// Reads the claims of this kind from the claims of a JWS.
    ///
    /// - Throws: `ModelError` with the missing or invalid claim.
    public init(claims: JSONObject) throws(ModelError) {
        var fields = JSONFields(claims)
        productId = try fields.require("productId")
        offerIdentifier = try fields.require("offerIdentifier")
        transactionId = try fields.optional("transactionId")
    }

    /// The claims; those that are not set are omitted.
    public var claims: JSONObject {
        var object = JSONObject()
        object.put("productId", productId)
        object.put("offerIdentifier", offerIdentifier)
        object.put("transactionId", transactionId)
        return object
    }
}
