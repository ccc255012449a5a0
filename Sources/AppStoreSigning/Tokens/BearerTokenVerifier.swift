import AppStoreModel
import Crypto
import PerennialPrimitives

/// Checks bearer tokens by the App Store's rules.
///
/// - Source: App Store Server API, Generating JSON Web Tokens for API requests.
public struct BearerTokenVerifier: Sendable {
    /// The maximum difference to the caller's clock.
    ///
    /// - Units: seconds.
    public static let clockSkewMax: Int64 = 60

    /// The maximum lifetime of a token for the App Store Connect API.
    ///
    /// - Units: seconds.
    /// - Source: App Store Connect API, Generating Tokens for API Requests; long-lived tokens with a scope are not
    ///   known here.
    public static let appStoreConnectLifetimeMax: Int64 = 1_200

    /// The maximum length of a token; a real one has about 500 bytes.
    private static let tokenBytesMax = 8192

    private let keys: [String: InAppPurchasePublicKey]

    /// Makes a verifier for the tokens of some keys.
    public init(keys: [InAppPurchaseKey]) {
        self.init(publicKeys: keys.map(\.publicKey))
    }

    /// Makes a verifier from public keys.
    public init(publicKeys: [InAppPurchasePublicKey]) {
        self.keys = Dictionary(byIdentifier: publicKeys)
    }

    /// Checks a token.
    ///
    /// `iat` and `exp` may be any JSON number, as in RFC 7519: Apple's Swift library writes fractions of a second,
    /// which are truncated. A token without `iat`, as from Apple's Python client, counts as issued at `now`.
    ///
    /// - Parameters:
    ///   - token: The text after `Bearer ` in the `Authorization` header.
    ///   - bundleIds: The allowed apps of calls.
    ///   - now: In seconds since 1970.
    public func check(_ token: String, bundleIds: Set<String>, now: Int64) -> BearerTokenCheck {
        do {
            let (key, claims) = try authenticated(token, now: now)
            try check(claims, key: key, bundleIds: bundleIds, lifetimeMax: BearerToken.lifetimeMax, now: now)
            return .accepted(claims)
        } catch {
            return .refused(error)
        }
    }

    /// Checks a token for the App Store Connect API, which names no app.
    ///
    /// - Parameters:
    ///   - token: The text after `Bearer ` in the `Authorization` header.
    ///   - now: In seconds since 1970.
    /// - Source: App Store Connect API, Generating Tokens for API Requests.
    public func checkForAppStoreConnect(_ token: String, now: Int64) -> BearerTokenCheck {
        do {
            let (key, claims) = try authenticated(token, now: now)
            try check(claims, key: key, bundleIds: nil, lifetimeMax: Self.appStoreConnectLifetimeMax, now: now)
            return .accepted(claims)
        } catch {
            return .refused(error)
        }
    }

    /// Reads a token that was signed by one of the keys.
    private func authenticated(
        _ token: String,
        now: Int64
    ) throws(BearerTokenCheck.Refusal) -> (InAppPurchasePublicKey, BearerTokenClaims) {
        let bytes = Array(token.utf8.prefix(Self.tokenBytesMax + 1))
        guard bytes.count <= Self.tokenBytesMax else {
            throw .init(code: .malformed, message: "The token is longer than \(Self.tokenBytesMax) bytes.")
        }
        let (parts, header) = try Self.parts(bytes)
        guard let keyId = header.keyId, let key = keys[keyId] else {
            throw .init(code: .unknownKey, message: "No key has the token's kid; check the key id.")
        }
        guard parts.isSigned(by: key.key) else {
            throw .init(code: .signature, message: "The signature is not the key's; check the private key.")
        }
        return (key, try Self.claims(parts, keyId: keyId, now: now))
    }

    private static func parts(_ bytes: [UInt8]) throws(BearerTokenCheck.Refusal) -> (CompactJWS, JWSHeader) {
        do {
            let parts = try CompactJWS(bytes)
            return (parts, try JWSHeader(segment: parts.header))
        } catch {
            let isAlgorithm = error.code == .algorithmNotSupported
            throw .init(code: isAlgorithm ? .algorithm : .malformed, message: error.message)
        }
    }

    private static func claims(
        _ parts: CompactJWS,
        keyId: String,
        now: Int64
    ) throws(BearerTokenCheck.Refusal) -> BearerTokenClaims {
        guard
            let bytes = Base64.decode(parts.payload, .url),
            let object = try? JSONParser.parseObject(bytes),
            case .string(let issuer) = object["iss"],
            let audience = object["aud"],
            let audiences = audience.audiences,
            let issuedAt = (object["iat"] ?? .integer(now)).truncatedInteger,
            let expiresAt = object["exp"]?.truncatedInteger
        else {
            throw .init(
                code: .malformed,
                message:
                    "The token needs iss (a text), aud (a text or an array of texts) and exp (a number of seconds); "
                    + "iat is a number of seconds too."
            )
        }
        guard audiences.contains(where: { $0.hasSameBytes(as: BearerToken.audience) }) else {
            throw .init(code: .audience, message: "aud is \(BearerToken.audience) for every call.")
        }
        let bundleId: String? = if case .string(let text) = object["bid"] { text } else { nil }
        return BearerTokenClaims(
            keyId: keyId,
            issuerId: issuer,
            bundleId: bundleId,
            issuedAt: issuedAt,
            expiresAt: expiresAt
        )
    }

    private func check(
        _ claims: BearerTokenClaims,
        key: InAppPurchasePublicKey,
        bundleIds: Set<String>?,
        lifetimeMax: Int64,
        now: Int64
    ) throws(BearerTokenCheck.Refusal) {
        guard claims.issuerId.hasSameBytes(as: key.issuerId) else {
            throw .init(code: .issuer, message: "iss is not the issuer of this key.")
        }
        try check(claims.bundleId, isOneOf: bundleIds)
        guard claims.expiresAt > now - Self.clockSkewMax else {
            throw .init(code: .expired, message: "The token has expired; make a new one for each call.")
        }
        let (lifetime, overflow) = claims.expiresAt.subtractingReportingOverflow(claims.issuedAt)
        guard !overflow, lifetime > 0, lifetime <= lifetimeMax else {
            throw .init(code: .lifetime, message: "exp lies after iat, by at most \(lifetimeMax) seconds.")
        }
        guard claims.issuedAt <= now + Self.clockSkewMax else {
            throw .init(code: .notYetValid, message: "iat is in the future; check the clock, iat is in seconds.")
        }
    }
}

extension BearerTokenVerifier {
    /// Refuses a token without a bundle identifier, or for another app, if apps are required.
    private func check(_ bundleId: String?, isOneOf bundleIds: Set<String>?) throws(BearerTokenCheck.Refusal) {
        guard let bundleIds else { return }
        guard let bundleId else {
            throw .init(code: .malformed, message: "The token needs bid, the bundle identifier of the app.")
        }
        guard bundleIds.contains(where: { $0.hasSameBytes(as: bundleId) }) else {
            throw .init(code: .bundleId, message: "bid is not an app of this store.")
        }
    }
}

extension BearerTokenCheck.Refusal: Error {}
