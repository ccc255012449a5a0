import AppStoreModel
import Crypto
import PerennialPrimitives

/// Signs the values that an app passes to StoreKit: offers, eligibility, and Advanced Commerce requests.
///
/// One signer serves one app. The app gets the result from your server and passes it on unchanged; the private key
/// stays on the server.
///
/// - Source: StoreKit, Generating a signature for promotional offers; Generating JWS to sign App Store requests.
public struct StoreKitRequestSigner: Sendable {
    private let key: InAppPurchaseKey
    private let bundleId: String
    private let jwsSigner: JWSSigner

    /// Makes a signer for an app.
    public init(key: InAppPurchaseKey, bundleId: String) {
        let header: JSONObject = ["alg": "ES256", "kid": .string(key.keyId), "typ": "JWT"]
        self.key = key
        self.bundleId = bundleId
        self.jwsSigner = JWSSigner(
            headerJSON: String(decoding: header.serialize(), as: UTF8.self),
            key: key.privateKey
        )
    }
}

// MARK: - JWS

extension StoreKitRequestSigner {
    /// Signs claims as a JWS.
    ///
    /// There is no `exp`, because StoreKit refuses it.
    ///
    /// - Parameters:
    ///   - claims: A ``PromotionalOfferV2``, ``IntroductoryOfferEligibility`` or ``AdvancedCommerceSignedRequest``.
    ///   - nonce: A new one for each JWS.
    ///   - now: In milliseconds since 1970; signed in whole seconds.
    /// - Throws: `signing_failed` if the cryptographic library fails.
    public func sign(
        _ claims: some StoreKitRequestClaims,
        nonce: SignatureNonce,
        at now: Int64
    ) throws(SigningError) -> String {
        var object = claims.claims
        object["exp"] = nil
        object["iss"] = .string(key.issuerId)
        object["iat"] = .integer(now.wholeSeconds)
        object["aud"] = .string(type(of: claims).audience)
        object["bid"] = .string(bundleId)
        object["nonce"] = .string(nonce.text)
        return try jwsSigner.sign(payload: object.serialize())
    }

    /// Signs claims as a JWS, now and with a new nonce.
    ///
    /// - Throws: `signing_failed` if the cryptographic library fails.
    public func sign(_ claims: some StoreKitRequestClaims) throws(SigningError) -> String {
        try sign(claims, nonce: .random(), at: WallClock.milliseconds())
    }
}

// MARK: - The first form of promotional offers

extension StoreKitRequestSigner {
    /// Signs a promotional offer with a version 1 signature.
    ///
    /// - Parameters:
    ///   - offer: The offer and its customer.
    ///   - nonce: A new one for each signature.
    ///   - now: In milliseconds since 1970, sent as `timestamp`.
    /// - Throws: `field_malformed` if a field is empty or contains the separator, `signing_failed` if the cryptographic
    ///   library fails.
    public func sign(
        _ offer: PromotionalOffer,
        nonce: SignatureNonce,
        at now: Int64
    ) throws(SigningError) -> PromotionalOfferSignature {
        let message = PromotionalOfferMessage(
            offer,
            bundleId: bundleId,
            keyId: key.keyId,
            nonce: nonce,
            timestamp: now
        )
        if let defect = message.defect {
            throw SigningError(code: .fieldMalformed, message: defect)
        }
        let signature: P256.Signing.ECDSASignature
        do {
            signature = try key.privateKey.signature(for: message.bytes)
        } catch {
            throw SigningError(code: .signingFailed, message: "The offer could not be signed with this key.")
        }
        return PromotionalOfferSignature(
            offer: offer,
            keyId: key.keyId,
            nonce: nonce,
            timestamp: now,
            encodedSignature: String(
                decoding: Base64.encode(Array(signature.derRepresentation), .standard),
                as: UTF8.self
            )
        )
    }

    /// Signs a promotional offer with a version 1 signature, now and with a new nonce.
    ///
    /// - Throws: `field_malformed` if a field is empty or contains the separator, `signing_failed` if the cryptographic
    ///   library fails.
    public func sign(_ offer: PromotionalOffer) throws(SigningError) -> PromotionalOfferSignature {
        try sign(offer, nonce: .random(), at: WallClock.milliseconds())
    }
}

extension Int64 {
    /// Milliseconds as seconds, rounded down even before 1970.
    fileprivate var wholeSeconds: Int64 {
        let (seconds, rest) = quotientAndRemainder(dividingBy: 1000)
        return rest < 0 ? seconds - 1 : seconds
    }
}
