public import AppStoreModel

extension PromotionalOfferSignatureV1 {
    /// Takes over a signature for the answer to a real-time request.
    ///
    /// - Source: Retention Messaging API, PromotionalOfferSignatureV1.
    public init(_ signature: PromotionalOfferSignature) {
        self.init(
            encodedSignature: signature.encodedSignature,
            productId: signature.offer.productId,
            nonce: signature.nonce.text,
            timestamp: signature.timestamp,
            keyId: signature.keyId,
            offerIdentifier: signature.offer.offerIdentifier,
            appAccountToken: signature.offer.appAccountToken?.lowercased()
        )
    }
}

extension PromotionalOfferSignature {
    /// Takes over a signature from the answer to a real-time request; it is not checked.
    ///
    /// - Throws: `nonce_malformed` when the nonce is no UUID.
    public init(_ signature: PromotionalOfferSignatureV1) throws(SigningError) {
        self.init(
            offer: PromotionalOffer(
                productId: signature.productId,
                offerIdentifier: signature.offerIdentifier,
                appAccountToken: signature.appAccountToken
            ),
            keyId: signature.keyId,
            nonce: try SignatureNonce(signature.nonce),
            timestamp: signature.timestamp,
            encodedSignature: signature.encodedSignature
        )
    }
}
