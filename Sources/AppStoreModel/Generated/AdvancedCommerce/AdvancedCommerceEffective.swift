// Generated from Schema/advanced-commerce.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// When a change of an Advanced Commerce subscription takes effect.
///
/// - Source: Advanced Commerce API, `effective`.
public struct AdvancedCommerceEffective: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Immediately.
    public static let immediately = AdvancedCommerceEffective(rawValue: "IMMEDIATELY")
    /// With the next period.
    public static let nextBillCycle = AdvancedCommerceEffective(rawValue: "NEXT_BILL_CYCLE")

    /// Every value that Apple documents.
    public static let documented: [AdvancedCommerceEffective] = [.immediately, .nextBillCycle]
}
