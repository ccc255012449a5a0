public import AppStoreModel

extension StoreKitRequestSigner {
    /// Creates an answer to a realtime request with a message and a promotional offer, signed as a JWS.
    ///
    /// - Parameters:
    ///   - offer: The offer; its `transactionId` is required here.
    ///   - messageIdentifier: The message, a UUID.
    ///   - nonce: A new one for each answer.
    ///   - now: In milliseconds since 1970.
    /// - Throws: `field_malformed` if the offer has no `transactionId`, `signing_failed` if the cryptographic library
    ///   fails.
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

    /// Creates an answer to a realtime request with a message and a promotional offer with a version 1 signature.
    ///
    /// - Parameters:
    ///   - offer: The offer.
    ///   - messageIdentifier: The message, a UUID.
    ///   - nonce: A new one for each answer.
    ///   - now: In milliseconds since 1970.
    /// - Throws: `field_malformed` if a field is empty or contains the separator, `signing_failed` if the cryptographic
    ///   library fails.
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
