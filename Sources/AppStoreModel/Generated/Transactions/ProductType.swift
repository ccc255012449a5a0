// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The kind of an in-app purchase.
///
/// - Source: App Store Server API, `type`.
public struct ProductType: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Renews until it is turned off.
    public static let autoRenewableSubscription = ProductType(rawValue: "Auto-Renewable Subscription")
    /// Bought once and owned permanently.
    public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
    /// Consumed and can be bought again.
    public static let consumable = ProductType(rawValue: "Consumable")
    /// Lasts for a period that the app defines.
    public static let nonRenewingSubscription = ProductType(rawValue: "Non-Renewing Subscription")

    /// Every value that Apple documents.
    public static let documented: [ProductType] = [
        .autoRenewableSubscription, .nonConsumable, .consumable, .nonRenewingSubscription,
    ]
}
