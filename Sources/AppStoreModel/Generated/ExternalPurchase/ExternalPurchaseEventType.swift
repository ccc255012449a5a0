// Generated from Schema/external-purchase.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Whether a line item reports a purchase or a refund.
///
/// - Source: External Purchase Server API, `eventType`.
public struct ExternalPurchaseEventType: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A purchase.
    public static let buy = ExternalPurchaseEventType(rawValue: "BUY")
    /// A refund or a chargeback.
    public static let refund = ExternalPurchaseEventType(rawValue: "REFUND")

    /// Every value that Apple documents.
    public static let documented: [ExternalPurchaseEventType] = [.buy, .refund]
}
