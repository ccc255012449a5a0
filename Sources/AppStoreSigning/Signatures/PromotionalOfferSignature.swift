/// The first form of a promotional offer's signature, with everything that an app has to hand to StoreKit.
///
/// Newer apps use the JWS of ``PromotionalOfferV2`` instead.
///
/// - Source: StoreKit, Generating a signature for promotional offers.
public struct PromotionalOfferSignature: Hashable, Sendable {
    /// The offer and its customer.
    public let offer: PromotionalOffer

    /// The key that signed.
    public let keyId: String

    /// The one-time UUID.
    public let nonce: SignatureNonce

    /// When it was signed; the offer can be redeemed for 24 hours.
    ///
    /// - Units: milliseconds since 1970-01-01T00:00:00Z.
    public let timestamp: Int64

    /// The signature: DER in base64.
    public let encodedSignature: String

    /// Puts together what a server signed and an app sent; nothing is checked.
    public init(
        offer: PromotionalOffer,
        keyId: String,
        nonce: SignatureNonce,
        timestamp: Int64,
        encodedSignature: String
    ) {
        self.offer = offer
        self.keyId = keyId
        self.nonce = nonce
        self.timestamp = timestamp
        self.encodedSignature = encodedSignature
    }
}
