import AppStoreModel
import Crypto
import PerennialPrimitives

/// Checks the JWS that developers sign for StoreKit, by its rules.
///
/// A nonce may be used once; whoever honours signatures keeps the nonces of a day and refuses the second use.
///
/// - Source: StoreKit, Generating JWS to sign App Store requests.
public struct StoreKitRequestVerifier: Sendable {
    /// The longest JWS that is looked at; the requests of Advanced Commerce list items.
    ///
    /// - Units: bytes.
    public static let bytesMax = 1 << 18

    private let keys: [String: InAppPurchasePublicKey]
    private let limits: SignatureLimits

    /// Makes a verifier for signatures of some keys.
    public init(keys: [InAppPurchaseKey], limits: SignatureLimits = .appStore) {
        self.init(publicKeys: keys.map(\.publicKey), limits: limits)
    }

    /// Makes a verifier that needs no private keys.
    public init(publicKeys: [InAppPurchasePublicKey], limits: SignatureLimits = .appStore) {
        self.keys = Dictionary(byIdentifier: publicKeys)
        self.limits = limits
    }

    /// Checks a JWS.
    ///
    /// `iat` may be any JSON number, as in RFC 7519: Apple's Swift library writes fractions of a second. They are cut
    /// off.
    ///
    /// - Parameters:
    ///   - jws: The compact JWS that the app hands to StoreKit.
    ///   - kind: What it has to be: ``PromotionalOfferV2``, ``IntroductoryOfferEligibility`` or
    ///     ``AdvancedCommerceSignedRequest``.
    ///   - bundleId: The app.
    ///   - now: In milliseconds since 1970.
    public func check<Claims: StoreKitRequestClaims>(
        _ jws: String,
        as kind: Claims.Type,
        bundleId: String,
        now: Int64
    ) -> SignatureCheck<VerifiedStoreKitRequest<Claims>> {
        SignatureCheck { () throws(SignatureRefusal) in
            let (key, object) = try authenticated(jws)
            try check(object, audience: kind.audience, key: key, bundleId: bundleId)
            let nonce = try Self.nonce(object["nonce"])
            let issuedAt = try issuedAt(object["iat"], now: now)
            do throws(ModelError) {
                let claims = try Claims(claims: object)
                return VerifiedStoreKitRequest(claims: claims, keyId: key.keyId, nonce: nonce, issuedAt: issuedAt)
            } catch {
                throw SignatureRefusal(code: .malformed, message: "A claim is wrong: \(error.description)")
            }
        }
    }

    /// The claims of a JWS that one of the keys signed.
    private func authenticated(_ jws: String) throws(SignatureRefusal) -> (InAppPurchasePublicKey, JSONObject) {
        let bytes = Array(jws.utf8.prefix(Self.bytesMax + 1))
        guard bytes.count <= Self.bytesMax else {
            throw SignatureRefusal(code: .malformed, message: "The JWS is longer than \(Self.bytesMax) bytes.")
        }
        let (parts, header) = try Self.parts(bytes)
        guard let keyId = header.keyId, let key = keys[keyId] else {
            throw SignatureRefusal(code: .unknownKey, message: "No key has the JWS's kid; check the key id.")
        }
        guard parts.isSigned(by: key.key) else {
            throw SignatureRefusal(
                code: .signature,
                message: "The signature is not the key's; check the private key, and that it is raw and not DER."
            )
        }
        guard
            let payload = Base64.decode(parts.payload, .url),
            let object = try? JSONParser.parseObject(payload)
        else {
            throw SignatureRefusal(code: .malformed, message: "The payload is not base64url of a JSON object.")
        }
        return (key, object)
    }

    private static func parts(_ bytes: [UInt8]) throws(SignatureRefusal) -> (CompactJWS, JWSHeader) {
        do {
            let parts = try CompactJWS(bytes)
            return (parts, try JWSHeader(segment: parts.header))
        } catch {
            let isAlgorithm = error.code == .algorithmNotSupported
            throw SignatureRefusal(code: isAlgorithm ? .algorithm : .malformed, message: error.message)
        }
    }

    private func check(
        _ object: JSONObject,
        audience: String,
        key: InAppPurchasePublicKey,
        bundleId: String
    ) throws(SignatureRefusal) {
        guard object["aud"]?.audiences?.contains(where: { $0.hasSameBytes(as: audience) }) ?? false else {
            throw SignatureRefusal(code: .audience, message: "aud is \(audience) for this purpose.")
        }
        guard object["bid"].isText(bundleId) else {
            throw SignatureRefusal(code: .bundleId, message: "bid is not this app.")
        }
        guard object["iss"].isText(key.issuerId) else {
            throw SignatureRefusal(code: .issuer, message: "iss is not the issuer of this key.")
        }
        guard object["exp"] == nil else {
            throw SignatureRefusal(
                code: .expirationPresent,
                message: "There is an exp; leave it out, the App Store counts from iat."
            )
        }
    }

    private static func nonce(_ claim: JSONValue?) throws(SignatureRefusal) -> SignatureNonce {
        guard let text = claim?.stringValue, let nonce = try? SignatureNonce(text) else {
            throw SignatureRefusal(code: .nonce, message: "nonce is a UUID, a new one for each JWS.")
        }
        return nonce
    }

    private func issuedAt(_ claim: JSONValue?, now: Int64) throws(SignatureRefusal) -> Int64 {
        guard let seconds = claim?.truncatedInteger else {
            throw SignatureRefusal(code: .malformed, message: "iat is a number of seconds.")
        }
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else {
            throw SignatureRefusal(code: .malformed, message: "iat is no time.")
        }
        try limits.check(milliseconds, now: now, field: "iat")
        return milliseconds
    }
}

extension JSONValue? {
    /// Whether this is the string, byte for byte.
    fileprivate func isText(_ text: String) -> Bool {
        self?.stringValue?.hasSameBytes(as: text) ?? false
    }
}
