public import AppStoreModel

extension PromotionalOfferSignatureV1 {
    /// Converts a signature for the answer to a realtime request.
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
    /// Converts a signature from the answer to a realtime request, without checking it.
    ///
    /// - Throws: `nonce_malformed` if the nonce is not a UUID.
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
