public import AppStoreModel

/// Checks a developer's answers to realtime requests, and the signed offers in them.
///
/// - Source: Retention Messaging API, RealtimeResponseBody.
public struct RealtimeResponseVerifier: Sendable {
    private let offers: PromotionalOfferSignatureVerifier
    private let requests: StoreKitRequestVerifier

    /// Makes a verifier for answers with signatures of some keys.
    public init(keys: [InAppPurchaseKey], limits: SignatureLimits = .appStore) {
        self.init(publicKeys: keys.map(\.publicKey), limits: limits)
    }

    /// Makes a verifier from public keys.
    public init(publicKeys: [InAppPurchasePublicKey], limits: SignatureLimits = .appStore) {
        offers = PromotionalOfferSignatureVerifier(publicKeys: publicKeys, limits: limits)
        requests = StoreKitRequestVerifier(publicKeys: publicKeys, limits: limits)
    }

    /// Checks an answer.
    ///
    /// - Parameters:
    ///   - response: The answer of the developer's server.
    ///   - bundleId: The app.
    ///   - now: In milliseconds since 1970.
    public func check(
        _ response: RealtimeResponseBody,
        bundleId: String,
        now: Int64
    ) -> SignatureCheck<VerifiedRealtimeResponse> {
        SignatureCheck { () throws(SignatureRefusal) in
            let (messageIdentifier, content) = try onlyContent(of: response, bundleId: bundleId, now: now)
            guard let identifier = try? SignatureNonce(messageIdentifier) else {
                throw SignatureRefusal(code: .malformed, message: "messageIdentifier is not a UUID.")
            }
            return VerifiedRealtimeResponse(messageIdentifier: identifier.text, content: content)
        }
    }

    private func onlyContent(
        of response: RealtimeResponseBody,
        bundleId: String,
        now: Int64
    ) throws(SignatureRefusal) -> (String, VerifiedRealtimeResponse.Content) {
        switch (response.message, response.alternateProduct, response.promotionalOffer, response.advancedCommerceInfo) {
        case (let message?, nil, nil, nil):
            return (message.messageIdentifier, .message)
        case (nil, let product?, nil, nil):
            let content = VerifiedRealtimeResponse.Content.alternateProduct(
                productId: product.productId,
                billingPlanType: product.billingPlanType
            )
            return (product.messageIdentifier, content)
        case (nil, nil, let offer?, nil):
            return (offer.messageIdentifier, try content(of: offer, bundleId: bundleId, now: now))
        case (nil, nil, nil, let info?):
            return (info.messageIdentifier, .advancedCommerce(data: info.advancedCommerceData))
        default:
            throw SignatureRefusal(
                code: .malformed,
                message: "An answer has exactly one of message, alternateProduct, promotionalOffer and "
                    + "advancedCommerceInfo."
            )
        }
    }

    private func content(
        of offer: RealtimeResponseBody.PromotionalOffer,
        bundleId: String,
        now: Int64
    ) throws(SignatureRefusal) -> VerifiedRealtimeResponse.Content {
        switch (offer.promotionalOfferSignatureV2, offer.promotionalOfferSignatureV1) {
        case (let jws?, nil):
            let request = try requests.check(jws, as: PromotionalOfferV2.self, bundleId: bundleId, now: now).get()
            guard request.claims.transactionId != nil else {
                throw SignatureRefusal(
                    code: .malformed,
                    message: "The offer of a real-time answer needs the claim transactionId."
                )
            }
            return .promotionalOffer(request)
        case (nil, let sent?):
            guard sent.nonce == sent.nonce.lowercased(), let signature = try? PromotionalOfferSignature(sent) else {
                throw SignatureRefusal(code: .nonce, message: "The nonce is not a UUID in lower case.")
            }
            _ = try offers.check(signature, bundleId: bundleId, now: now).get()
            return .firstFormOffer(signature)
        default:
            throw SignatureRefusal(
                code: .malformed,
                message: "A promotional offer has either promotionalOfferSignatureV2 or promotionalOfferSignatureV1."
            )
        }
    }
}
