// Generated from Schema/advanced-commerce.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The type of refund of an Advanced Commerce item.
///
/// - Source: Advanced Commerce API, `refundType`.
public struct AdvancedCommerceRefundType: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Full.
    public static let full = AdvancedCommerceRefundType(rawValue: "FULL")
    /// Prorated.
    public static let prorated = AdvancedCommerceRefundType(rawValue: "PRORATED")
    /// A custom amount.
    public static let custom = AdvancedCommerceRefundType(rawValue: "CUSTOM")

    /// Every value that Apple documents.
    public static let documented: [AdvancedCommerceRefundType] = [.full, .prorated, .custom]
}
