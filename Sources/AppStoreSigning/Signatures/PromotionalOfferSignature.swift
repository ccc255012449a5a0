/// The version 1 signature of a promotional offer, with everything that an app passes to StoreKit.
///
/// Newer apps use the JWS of ``PromotionalOfferV2`` instead.
///
/// - Source: StoreKit, Generating a signature for promotional offers.
public struct PromotionalOfferSignature: Hashable, Sendable {
    /// The offer and its customer.
    public let offer: PromotionalOffer

    /// The signing key.
    public let keyId: String

    /// The nonce, a UUID.
    public let nonce: SignatureNonce

    /// When it was signed; the offer can be redeemed for 24 hours.
    ///
    /// - Units: milliseconds since 1970-01-01T00:00:00Z.
    public let timestamp: Int64

    /// The signature: DER in base64.
    public let encodedSignature: String

    /// Combines the values from a server and an app, without checking them.
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
