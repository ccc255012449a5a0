// Generated from Schema/purchase-data.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The type of an in-app purchase, in the notation of the history's filter.
///
/// - Source: App Store Server API, Get Transaction History, `productType`.
public struct HistoryProductType: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An auto-renewable subscription.
    public static let autoRenewable = HistoryProductType(rawValue: "AUTO_RENEWABLE")
    /// A non-renewing subscription.
    public static let nonRenewable = HistoryProductType(rawValue: "NON_RENEWABLE")
    /// A consumable.
    public static let consumable = HistoryProductType(rawValue: "CONSUMABLE")
    /// A non-consumable.
    public static let nonConsumable = HistoryProductType(rawValue: "NON_CONSUMABLE")

    /// Every value that Apple documents.
    public static let documented: [HistoryProductType] = [.autoRenewable, .nonRenewable, .consumable, .nonConsumable]
}
