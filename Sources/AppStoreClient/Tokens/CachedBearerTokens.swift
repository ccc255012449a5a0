public import AppStoreSigning
import Synchronization

/// Makes bearer tokens with In-App Purchase keys, and reuses each until shortly before it ends, unless told otherwise.
///
/// Apple allows tokens to be reused, and signing one costs more than the rest of a request. There is one token per app
/// and key; a key that is exchanged gives a new token at once. Without reuse, each request has a token of its own.
///
/// - Source: App Store Server API, Generating JSON Web Tokens for API requests.
public final class CachedBearerTokens: BearerTokenSource {
    /// A quarter of an hour: far from Apple's hour, at which clocks that differ by seconds already matter.
    public static let lifetimeDefault: Duration = .seconds(900)

    /// A token is replaced when less than this is left of its life, so that it does not end on its way.
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

    /// Uses the key that a function names for an app; nil for an app that has none.
    ///
    /// - Parameters:
    ///   - lifetime: How long a token is good for; kept between one second and an hour.
    ///   - margin: How much of its life must be left for a token to be used.
    ///   - reusesTokens: Whether a token serves many requests; without it, one is made for each, and none is kept.
    ///   - keyForApp: Looked up for every call, so that keys can be exchanged while the client runs.
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
    ///   - reusesTokens: Whether a token serves many requests; without it, one is made for each.
    public convenience init(key: InAppPurchaseKey, reusesTokens: Bool = true) {
        self.init(reusesTokens: reusesTokens) { _ in key }
    }

    /// Gives the app's token, a new one when there is none that is good for a while, or when none is reused.
    ///
    /// - Throws: ``AppStoreClientError`` with `key_missing` when the app has no key; `SigningError` when signing fails.
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

    /// Forgets a token.
    public func discard(_ credential: BearerCredential, bundleId: String) async {
        credentials.withLock { credentials in
            credentials = credentials.filter { $0.key.bundleId != bundleId || $0.value.token != credential.token }
        }
    }

    /// Also a token from the future is not good: the clock was wrong when it was made.
    private func isGood(_ credential: BearerCredential, now: Int64) -> Bool {
        guard let issuedAt = credential.issuedAt, let expiresAt = credential.expiresAt else { return false }
        return issuedAt <= now && now < expiresAt - min(margin, lifetimeSeconds * 500)
    }

    private func make(key: InAppPurchaseKey, bundleId: String, now: Int64) throws(SigningError) -> BearerCredential {
        // No instant outside the years 1970 to 9999 is taken from a clock that went astray.
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
