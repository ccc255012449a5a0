import Crypto
import PerennialPrimitives

/// Checks version 1 signatures of promotional offers by StoreKit's rules.
///
/// A nonce may be used once: the caller must store the nonces of a day and refuse repeated ones.
///
/// - Source: StoreKit, Generating a signature for promotional offers.
public struct PromotionalOfferSignatureVerifier: Sendable {
    private let keys: [String: InAppPurchasePublicKey]
    private let limits: SignatureLimits

    /// Makes a verifier for the signatures of some keys.
    public init(keys: [InAppPurchaseKey], limits: SignatureLimits = .appStore) {
        self.init(publicKeys: keys.map(\.publicKey), limits: limits)
    }

    /// Makes a verifier from public keys.
    public init(publicKeys: [InAppPurchasePublicKey], limits: SignatureLimits = .appStore) {
        self.keys = Dictionary(byIdentifier: publicKeys)
        self.limits = limits
    }

    /// Checks a signature.
    ///
    /// - Parameters:
    ///   - signature: The values that the app passes to StoreKit.
    ///   - bundleId: The app.
    ///   - now: In milliseconds since 1970.
    /// - Returns: The offer, or the refusal; its message names common mistakes.
    public func check(
        _ signature: PromotionalOfferSignature,
        bundleId: String,
        now: Int64
    ) -> SignatureCheck<PromotionalOffer> {
        SignatureCheck { () throws(SignatureRefusal) in
            guard let key = keys[signature.keyId] else {
                throw SignatureRefusal(code: .unknownKey, message: "No key has this key id; check the key id.")
            }
            let message = PromotionalOfferMessage(
                signature.offer,
                bundleId: bundleId,
                keyId: signature.keyId,
                nonce: signature.nonce,
                timestamp: signature.timestamp
            )
            if let defect = message.defect {
                throw SignatureRefusal(code: .malformed, message: defect)
            }
            try check(signature.encodedSignature, over: message, by: key.key)
            try limits.check(signature.timestamp, now: now, field: "The timestamp")
            return signature.offer
        }
    }

    private func check(
        _ encodedSignature: String,
        over message: PromotionalOfferMessage,
        by key: P256.Signing.PublicKey
    ) throws(SignatureRefusal) {
        // A P-256 signature in DER has at most 72 bytes.
        let encoded = Array(encodedSignature.utf8.prefix(200))
        guard let bytes = Base64.decode(encoded, .standard), !bytes.isEmpty else {
            throw SignatureRefusal(code: .malformed, message: "The signature is not padded standard base64.")
        }
        guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: bytes) else {
            let isRaw = bytes.count == 64
            throw SignatureRefusal(
                code: .malformed,
                message: isRaw
                    ? "The signature is raw (r and s, 64 bytes); StoreKit takes this one in DER."
                    : "The signature is not an ECDSA signature in DER."
            )
        }
        guard key.isValidSignature(signature, for: message.bytes) else {
            throw SignatureRefusal(code: .signature, message: message.explanation(of: signature, by: key))
        }
    }
}

extension PromotionalOfferMessage {
    /// The common mistake that explains an invalid signature, found by trying each.
    fileprivate func explanation(of signature: P256.Signing.ECDSASignature, by key: P256.Signing.PublicKey) -> String {
        for (mistake, message) in mistakes where key.isValidSignature(signature, for: message.bytes) {
            return mistake
        }
        return "The signature is not the key's over these fields; check the private key, the bundle id and that each "
            + "field is signed as it is sent."
    }

    private var mistakes: [(String, PromotionalOfferMessage)] {
        var upperNonce = self
        upperNonce.nonce = nonce.uppercased()
        var upperToken = self
        upperToken.appAccountToken = appAccountToken.uppercased()
        var bothUpper = upperToken
        bothUpper.nonce = upperNonce.nonce
        var withoutToken = self
        withoutToken.appAccountToken = ""
        var inSeconds = self
        inSeconds.timestamp = String(timestamp.dropLast(3))
        var swapped = self
        swapped.productId = offerIdentifier
        swapped.offerIdentifier = productId
        return [
            ("The nonce was signed in upper case; sign it in lower case.", upperNonce),
            ("The appAccountToken was signed in upper case; sign it in lower case.", upperToken),
            ("The nonce and the appAccountToken were signed in upper case; sign them in lower case.", bothUpper),
            ("The offer was signed without the appAccountToken that the app sets; sign the same.", withoutToken),
            ("The timestamp was signed in seconds; sign milliseconds.", inSeconds),
            ("The product and the offer were swapped in the signature.", swapped),
        ]
    }
}
