public import AppStoreSigning
import Synchronization

/// Makes bearer tokens with In-App Purchase keys, and reuses each until shortly before it expires, unless disabled.
///
/// Apple allows reuse, and signing a token costs more than the rest of a request. There is one token per app and key; a
/// replaced key gives a new token at once. Without reuse, each request has its own token.
///
/// - Source: App Store Server API, Generating JSON Web Tokens for API requests.
public final class CachedBearerTokens: BearerTokenSource {
    /// Fifteen minutes: far below Apple's limit of an hour, at which small clock differences matter.
    public static let lifetimeDefault: Duration = .seconds(900)

    /// The remaining lifetime at which a token is replaced, so that it does not expire in transit.
    public static let marginDefault: Duration = .seconds(60)

    private struct Slot: Hashable {
        let bundleId: String
        let keyId: String
        let issuerId: String
    }

    private let keyForApp: @Sendable (_ bundleId: String) -> InAppPurchaseKey?
    private let lifetimeSeconds: Int64
    private let margin: Int64
    private let reusesTokens: Bool
    private let credentials = Mutex<[Slot: BearerCredential]>([:])

    /// Uses the key that a function returns for an app; nil for an app without a key.
    ///
    /// - Parameters:
    ///   - lifetime: The lifetime of a token; clamped between one second and an hour.
    ///   - margin: The remaining lifetime that a reused token must have.
    ///   - reusesTokens: Whether a token serves many requests; otherwise each request gets a new one.
    ///   - keyForApp: Called for every call, so that keys can be replaced at run time.
    public init(
        lifetime: Duration = CachedBearerTokens.lifetimeDefault,
        margin: Duration = CachedBearerTokens.marginDefault,
        reusesTokens: Bool = true,
        keyForApp: @escaping @Sendable (_ bundleId: String) -> InAppPurchaseKey?
    ) {
        self.keyForApp = keyForApp
        self.lifetimeSeconds = min(max(1, lifetime.wholeMilliseconds / 1000), BearerToken.lifetimeMax)
        self.margin = max(0, margin.wholeMilliseconds)
        self.reusesTokens = reusesTokens
    }

    /// Uses one key for every app of its team.
    ///
    /// - Parameters:
    ///   - key: Signs the tokens.
    ///   - reusesTokens: Whether a token serves many requests; otherwise each request gets a new one.
    public convenience init(key: InAppPurchaseKey, reusesTokens: Bool = true) {
        self.init(reusesTokens: reusesTokens) { _ in key }
    }

    /// Returns the app's token, and creates one if there is no valid one or tokens are not reused.
    ///
    /// - Throws: ``AppStoreClientError`` with `key_missing` if the app has no key; `SigningError` if signing fails.
    public func credential(bundleId: String, now: Int64) async throws -> BearerCredential {
        guard let key = keyForApp(bundleId) else {
            let message = "No In-App Purchase key is configured for \(bundleId); add it to the token source."
            throw AppStoreClientError(code: .keyMissing, message: message)
        }
        guard reusesTokens else { return try make(key: key, bundleId: bundleId, now: now) }
        let slot = Slot(bundleId: bundleId, keyId: key.keyId, issuerId: key.issuerId)
        if let held = credentials.withLock({ $0[slot] }), isGood(held, now: now) { return held }
        let made = try make(key: key, bundleId: bundleId, now: now)
        credentials.withLock { $0[slot] = made }
        return made
    }

    /// Removes a token.
    public func discard(_ credential: BearerCredential, bundleId: String) async {
        credentials.withLock { credentials in
            credentials = credentials.filter { $0.key.bundleId != bundleId || $0.value.token != credential.token }
        }
    }

    /// A token from the future is not reused either: the clock was wrong when it was made.
    private func isGood(_ credential: BearerCredential, now: Int64) -> Bool {
        guard let issuedAt = credential.issuedAt, let expiresAt = credential.expiresAt else { return false }
        return issuedAt <= now && now < expiresAt - min(margin, lifetimeSeconds * 500)
    }

    private func make(key: InAppPurchaseKey, bundleId: String, now: Int64) throws(SigningError) -> BearerCredential {
        // Times outside the years 1970 to 9999, from a faulty clock, are refused.
        let issuedAt = min(max(0, now / 1000), 253_402_300_799)
        return BearerCredential(
            token: try BearerToken.make(key: key, bundleId: bundleId, issuedAt: issuedAt, lifetime: lifetimeSeconds),
            keyId: key.keyId,
            issuerId: key.issuerId,
            issuedAt: issuedAt * 1000,
            expiresAt: (issuedAt + lifetimeSeconds) * 1000
        )
    }
}
