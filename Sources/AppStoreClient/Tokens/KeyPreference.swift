import AppStoreSigning

/// The key with which calls for an app begin while its first key is refused.
struct KeyPreference {
    private let keyId: String
    /// In milliseconds since 1970.
    private let since: Int64

    /// Prefers a key from now on.
    init(_ keyId: String, since: Int64) {
        self.keyId = keyId
        self.since = since
    }

    /// The order in which keys are tried: the preferred one, then the others in the given order.
    ///
    /// - Parameters:
    ///   - keys: The keys of the app.
    ///   - preference: The preference, if there is one.
    ///   - now: In milliseconds since 1970.
    ///   - duration: How long a preference is valid, in milliseconds.
    static func order(
        _ keys: [InAppPurchaseKey],
        by preference: KeyPreference?,
        at now: Int64,
        for duration: Int64
    ) -> [InAppPurchaseKey] {
        guard let preference, preference.isValid(at: now, for: duration) else { return keys }
        return keys.filter { $0.keyId == preference.keyId } + keys.filter { $0.keyId != preference.keyId }
    }

    /// Whether it is neither too old nor from the future, in case the clock was set back.
    func isValid(at now: Int64, for duration: Int64) -> Bool {
        since <= now && now.subtractingClamped(since) < duration
    }

    /// Whether it prefers a key.
    func prefers(_ keyId: String) -> Bool { self.keyId == keyId }
}
