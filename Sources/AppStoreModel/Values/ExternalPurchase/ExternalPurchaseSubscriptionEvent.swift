/// What a line item says of a subscription.
///
/// - Source: External Purchase Server API, `subscriptionEvent`.
public struct ExternalPurchaseSubscriptionEvent: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Takes a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It began.
    public static let subscriptionStart = ExternalPurchaseSubscriptionEvent(rawValue: "SUBSCRIPTION_START")
    /// It renewed.
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
