/// How much of an Advanced Commerce item was refunded.
///
/// - Source: Advanced Commerce API, `refundType`.
public struct AdvancedCommerceRefundType: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Takes a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// All.
    public static let full = AdvancedCommerceRefundType(rawValue: "FULL")
    /// By the time left.
    public static let prorated = AdvancedCommerceRefundType(rawValue: "PRORATED")
    /// An amount of the developer's choice.
    public static let custom = AdvancedCommerceRefundType(rawValue: "CUSTOM")

    /// Every value that Apple documents.
    public static let documented: [AdvancedCommerceRefundType] = [.full, .prorated, .custom]
}
