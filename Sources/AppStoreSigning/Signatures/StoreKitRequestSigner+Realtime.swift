public import AppStoreModel

extension StoreKitRequestSigner {
    /// Answers a real-time request with a message and a promotional offer, signed as a JWS.
    ///
    /// - Parameters:
    ///   - offer: The offer; here its `transactionId` has to be set.
    ///   - messageIdentifier: The message, a UUID.
    ///   - nonce: A new one for each answer.
    ///   - now: In milliseconds since 1970.
    /// - Throws: `field_malformed` when the offer has no `transactionId`, `signing_failed` when the cryptographic
    ///   library refuses.
    /// - Source: Retention Messaging API, RealtimeResponseBody, `promotionalOffer`.
    public func realtimeResponse(
        offering offer: PromotionalOfferV2,
        message messageIdentifier: String,
        nonce: SignatureNonce,
        at now: Int64
    ) throws(SigningError) -> RealtimeResponseBody {
        guard offer.transactionId != nil else {
            throw SigningError(
                code: .fieldMalformed,
                message: "A real-time answer's offer names the customer: set its transactionId."
            )
        }
        return .promotionalOffer(signatureV2: try sign(offer, nonce: nonce, at: now), message: messageIdentifier)
    }

    /// Answers a real-time request with a message and a promotional offer in its first form.
    ///
    /// - Parameters:
    ///   - offer: The offer.
    ///   - messageIdentifier: The message, a UUID.
    ///   - nonce: A new one for each answer.
    ///   - now: In milliseconds since 1970.
    /// - Throws: `field_malformed` when a field is empty or holds the separator, `signing_failed` when the
    ///   cryptographic library refuses.
    /// - Source: Retention Messaging API, RealtimeResponseBody, `promotionalOffer`.
    public func realtimeResponse(
        offering offer: PromotionalOffer,
        message messageIdentifier: String,
        nonce: SignatureNonce,
        at now: Int64
    ) throws(SigningError) -> RealtimeResponseBody {
        let signature = try sign(offer, nonce: nonce, at: now)
        return .promotionalOffer(signatureV1: PromotionalOfferSignatureV1(signature), message: messageIdentifier)
    }
}
