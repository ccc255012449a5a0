// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The state of an auto-renewable subscription.
///
/// - Source: App Store Server API, `status`.
public struct SubscriptionStatus: OpenValue {
    /// The raw value in JSON.
    public let rawValue: Int32

    /// Wraps a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Active.
    public static let active = SubscriptionStatus(rawValue: 1)
    /// Expired.
    public static let expired = SubscriptionStatus(rawValue: 2)
    /// The charge failed; Apple retries it; no access.
    public static let billingRetry = SubscriptionStatus(rawValue: 3)
    /// The charge failed; Apple retries it; access continues.
    public static let billingGracePeriod = SubscriptionStatus(rawValue: 4)
    /// Refunded, or no longer shared.
    public static let revoked = SubscriptionStatus(rawValue: 5)

    /// Every value that Apple documents.
    public static let documented: [SubscriptionStatus] = [
        .active, .expired, .billingRetry, .billingGracePeriod, .revoked,
    ]
}
