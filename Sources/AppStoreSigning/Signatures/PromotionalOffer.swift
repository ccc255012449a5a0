/// A promotional offer for one customer, in the first form of its signature.
///
/// - Source: StoreKit, Generating a signature for promotional offers; each property is the parameter of the same name.
public struct PromotionalOffer: Hashable, Sendable {
    /// The subscription.
    public var productId: String

    /// The offer, as App Store Connect has it.
    public var offerIdentifier: String

    /// The UUID that the app gives the customer; signed in lower case.
    ///
    /// With the original StoreKit it is `applicationUsername`, any text, and what the app sets there must equal what is
    /// signed. Absent when the app sets none.
    public var appAccountToken: String?

    /// Names an offer; an empty `appAccountToken` counts as none.
    public init(productId: String, offerIdentifier: String, appAccountToken: String? = nil) {
        self.productId = productId
        self.offerIdentifier = offerIdentifier
        self.appAccountToken = appAccountToken == "" ? nil : appAccountToken
    }
}
