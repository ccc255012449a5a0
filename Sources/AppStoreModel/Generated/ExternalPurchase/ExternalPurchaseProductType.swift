// Generated from Schema/external-purchase.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The kind of product of a line item.
///
/// - Source: External Purchase Server API, `productType`.
public struct ExternalPurchaseProductType: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A product bought once.
    public static let oneTimeBuy = ExternalPurchaseProductType(rawValue: "ONE_TIME_BUY")
    /// A subscription.
    public static let subscription = ExternalPurchaseProductType(rawValue: "SUBSCRIPTION")

    /// Every value that Apple documents.
    public static let documented: [ExternalPurchaseProductType] = [.oneTimeBuy, .subscription]
}
