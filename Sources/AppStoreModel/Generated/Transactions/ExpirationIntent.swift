// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Why a subscription ended.
///
/// - Source: App Store Server API, `expirationIntent`.
public struct ExpirationIntent: OpenValue {
    /// The raw value in JSON.
    public let rawValue: Int32

    /// Wraps a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The customer turned renewal off.
    public static let customerCancelled = ExpirationIntent(rawValue: 1)
    /// No charge succeeded.
    public static let billingError = ExpirationIntent(rawValue: 2)
    /// The customer did not agree to a higher price.
    public static let priceIncreaseNotConsented = ExpirationIntent(rawValue: 3)
    /// The product was not for sale at renewal.
    public static let productUnavailable = ExpirationIntent(rawValue: 4)
    /// Anything else.
    public static let other = ExpirationIntent(rawValue: 5)

    /// Every value that Apple documents.
    public static let documented: [ExpirationIntent] = [
        .customerCancelled, .billingError, .priceIncreaseNotConsented, .productUnavailable, .other,
    ]
}
