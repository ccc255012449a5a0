/// The kind of an in-app purchase.
///
/// - Source: App Store Server API, `type`.
public struct ProductType: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Takes a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Renews until someone turns it off.
    public static let autoRenewableSubscription = ProductType(rawValue: "Auto-Renewable Subscription")
    /// Bought once, kept for ever.
    public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
    /// Used up and bought again.
    public static let consumable = ProductType(rawValue: "Consumable")
    /// Lasts for a time that only the app knows.
    public static let nonRenewingSubscription = ProductType(rawValue: "Non-Renewing Subscription")

    /// Every value that Apple documents.
    public static let documented: [ProductType] = [
        .autoRenewableSubscription, .nonConsumable, .consumable, .nonRenewingSubscription,
    ]
}
