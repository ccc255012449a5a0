/// The kind of an in-app purchase, as the history's filter spells it.
///
/// - Source: App Store Server API, Get Transaction History, `productType`.
public struct HistoryProductType: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Takes a value, known or not.
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
