/// A promotional offer for one customer, with a version 1 signature.
///
/// - Source: StoreKit, Generating a signature for promotional offers; each property is the parameter of the same name.
public struct PromotionalOffer: Hashable, Sendable {
    /// The subscription.
    public var productId: String

    /// The offer identifier from App Store Connect.
    public var offerIdentifier: String

    /// The UUID that the app assigns to the customer; signed in lower case.
    ///
    /// In the original StoreKit it is `applicationUsername`, any text, and the app's value must equal the signed one.
    /// Absent if the app sets none.
    public var appAccountToken: String?

    /// Makes an offer; an empty `appAccountToken` counts as none.
    public init(productId: String, offerIdentifier: String, appAccountToken: String? = nil) {
        self.productId = productId
        self.offerIdentifier = offerIdentifier
        self.appAccountToken = appAccountToken == "" ? nil : appAccountToken
    }
}
