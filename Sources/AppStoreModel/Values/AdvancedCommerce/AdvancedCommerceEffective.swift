/// When a change of an Advanced Commerce subscription happens.
///
/// - Source: Advanced Commerce API, `effective`.
public struct AdvancedCommerceEffective: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Takes a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// At once.
    public static let immediately = AdvancedCommerceEffective(rawValue: "IMMEDIATELY")
    /// With the next period.
    public static let nextBillCycle = AdvancedCommerceEffective(rawValue: "NEXT_BILL_CYCLE")

    /// Every value that Apple documents.
    public static let documented: [AdvancedCommerceEffective] = [.immediately, .nextBillCycle]
}
