// Generated from Schema/external-purchase.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The subscription event of a line item.
///
/// - Source: External Purchase Server API, `subscriptionEvent`.
public struct ExternalPurchaseSubscriptionEvent: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Started.
    public static let subscriptionStart = ExternalPurchaseSubscriptionEvent(rawValue: "SUBSCRIPTION_START")
    /// Renewed.
    public static let renewal = ExternalPurchaseSubscriptionEvent(rawValue: "RENEWAL")
    /// The customer changed to another product, or back.
    public static let subscriptionChange = ExternalPurchaseSubscriptionEvent(rawValue: "SUBSCRIPTION_CHANGE")
    /// The customer paid for it.
    public static let subscriptionPayment = ExternalPurchaseSubscriptionEvent(rawValue: "SUBSCRIPTION_PAYMENT")

    /// Every value that Apple documents.
    public static let documented: [ExternalPurchaseSubscriptionEvent] = [
        .subscriptionStart, .renewal, .subscriptionChange, .subscriptionPayment,
    ]
}
