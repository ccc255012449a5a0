public import AppStoreModel

/// A key whose token Apple refused with 401.
public struct RefusedKey: Hashable, Sendable {
    /// The app of the call.
    public let bundleId: String

    /// The environment of the call.
    public let environment: AppStoreEnvironment

    /// The key; nil if the token source does not name it.
    public let keyId: String?

    /// Whether the same call is repeated with another key.
    public let hasAnotherKey: Bool

    /// Makes a report.
    public init(bundleId: String, environment: AppStoreEnvironment, keyId: String?, hasAnotherKey: Bool) {
        self.bundleId = bundleId
        self.environment = environment
        self.keyId = keyId
        self.hasAnotherKey = hasAnotherKey
    }
}
