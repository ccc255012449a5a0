public import AppStoreSigning
import Synchronization

/// Makes bearer tokens with In-App Purchase keys, and reuses each until shortly before it expires, unless disabled.
///
/// Apple allows reuse, and signing a token costs more than the rest of a request. There is one token per app and key; a
/// replaced key gives a new token at once. Without reuse, each request has its own token.
///
/// An app may have several keys, so that a key can be replaced without an interruption. Calls are signed with the first
/// one. If Apple refuses it (401), the call is repeated with the next one, and later calls begin with the key that
/// Apple accepted. After ``returnDefault``, they begin with the first one again.
///
/// - Source: App Store Server API, Generating JSON Web Tokens for API requests.
public final class CachedBearerTokens: BearerTokenSource {
    /// Fifteen minutes: far below Apple's limit of an hour, at which small clock differences matter.
    public static let lifetimeDefault: Duration = .seconds(900)

    /// The remaining lifetime at which a token is replaced, so that it does not expire in transit.
    public static let marginDefault: Duration = .seconds(60)

    /// The time after which calls begin with the first key again: an hour.
    public static let returnDefault: Duration = .seconds(3600)

    private struct Slot: Hashable {
        let bundleId: String
        let keyId: String
        let issuerId: String
    }

    private let keysForApp: @Sendable (_ bundleId: String) -> [InAppPurchaseKey]
    private let returnMilliseconds: Int64
    private let lifetimeSeconds: Int64
    private let margin: Int64
    private let reusesTokens: Bool
    private let credentials = Mutex<[Slot: BearerCredential]>([:])
    private let preferences = Mutex<[String: KeyPreference]>([:])

    /// Uses the key that a function returns for an app; nil for an app without a key.
    ///
    /// - Parameters:
    ///   - lifetime: The lifetime of a token; clamped between one second and an hour.
    ///   - margin: The remaining lifetime that a reused token must have.
    ///   - reusesTokens: Whether a token serves many requests; otherwise each request gets a new one.
    ///   - keyForApp: Called for every call, so that keys can be replaced at run time.
    public convenience init(
        lifetime: Duration = CachedBearerTokens.lifetimeDefault,
        margin: Duration = CachedBearerTokens.marginDefault,
        reusesTokens: Bool = true,
        keyForApp: @escaping @Sendable (_ bundleId: String) -> InAppPurchaseKey?
    ) {
        self.init(
            lifetime: lifetime,
            margin: margin,
            reusesTokens: reusesTokens,
            returningAfter: Self.returnDefault,
            keysForApp: { [keyForApp($0)].compactMap(\.self) }
        )
    }

    /// Uses the keys that a function returns for an app; none for an app without a key.
    ///
    /// - Parameters:
    ///   - lifetime: The lifetime of a token; clamped between one second and an hour.
    ///   - margin: The remaining lifetime that a reused token must have.
    ///   - reusesTokens: Whether a token serves many requests; otherwise each request gets a new one.
    ///   - returningAfter: The time after which calls begin with the first key again.
    ///   - keysForApp: Called for every call, so that keys can be replaced at run time; the first one is used unless
    ///     Apple refuses it.
    public init(
        lifetime: Duration = CachedBearerTokens.lifetimeDefault,
        margin: Duration = CachedBearerTokens.marginDefault,
        reusesTokens: Bool = true,
        returningAfter: Duration,
        keysForApp: @escaping @Sendable (_ bundleId: String) -> [InAppPurchaseKey]
    ) {
        self.keysForApp = keysForApp
        self.returnMilliseconds = max(0, returningAfter.wholeMilliseconds)
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
        self.init(keys: [key], reusesTokens: reusesTokens)
    }

    /// Uses several keys for every app of their team; the first one is used unless Apple refuses it.
    ///
    /// - Parameters:
    ///   - keys: Sign the tokens.
    ///   - reusesTokens: Whether a token serves many requests; otherwise each request gets a new one.
    public convenience init(keys: [InAppPurchaseKey], reusesTokens: Bool = true) {
        self.init(reusesTokens: reusesTokens, returningAfter: Self.returnDefault) { _ in keys }
    }

    /// Returns the app's token, and creates one if there is no valid one or tokens are not reused.
    ///
    /// - Throws: ``AppStoreClientError`` with `key_missing` if the app has no key; `SigningError` if signing fails.
    public func credential(bundleId: String, now: Int64) async throws -> BearerCredential {
        guard let key = keys(of: bundleId, now: now).first else {
            let message = "No In-App Purchase key is configured for \(bundleId); add it to the token source."
            throw AppStoreClientError(code: .keyMissing, message: message)
        }
        return try credential(of: key, bundleId: bundleId, now: now)
    }

    /// Returns the token of the next key of the app that was not refused; nil if all were.
    ///
    /// - Throws: `SigningError` if signing fails.
    public func credential(
        bundleId: String,
        except refusedKeyIds: Set<String>,
        now: Int64
    ) async throws -> BearerCredential? {
        let next = keys(of: bundleId, now: now).first { !refusedKeyIds.contains($0.keyId) }
        return try next.map { try credential(of: $0, bundleId: bundleId, now: now) }
    }

    /// Makes later calls begin with the key of a token, until the time to return has passed.
    ///
    /// Repeated acceptance does not extend that time, so that the first key is tried again.
    public func prefer(_ credential: BearerCredential, bundleId: String, now: Int64) async {
        guard let keyId = credential.keyId else { return }
        let isFirst = keysForApp(bundleId).first?.keyId == keyId
        preferences.withLock { preferences in
            if isFirst {
                preferences[bundleId] = nil
            } else if let held = preferences[bundleId], held.prefers(keyId),
                held.isValid(at: now, for: returnMilliseconds)
            {
                return
            } else {
                preferences[bundleId] = KeyPreference(keyId, since: now)
            }
        }
    }

    /// The keys of an app in the order in which they are tried.
    private func keys(of bundleId: String, now: Int64) -> [InAppPurchaseKey] {
        let preference = preferences.withLock { $0[bundleId] }
        return KeyPreference.order(keysForApp(bundleId), by: preference, at: now, for: returnMilliseconds)
    }

    private func credential(of key: InAppPurchaseKey, bundleId: String, now: Int64) throws -> BearerCredential {
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
