// Generated from Schema/advanced-commerce.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The length of a period of an Advanced Commerce subscription, in ISO 8601.
///
/// - Source: Advanced Commerce API, `period`.
public struct AdvancedCommercePeriod: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// One week.
    public static let oneWeek = AdvancedCommercePeriod(rawValue: "P1W")
    /// One month.
    public static let oneMonth = AdvancedCommercePeriod(rawValue: "P1M")
    /// Two months.
    public static let twoMonths = AdvancedCommercePeriod(rawValue: "P2M")
    /// Three months.
    public static let threeMonths = AdvancedCommercePeriod(rawValue: "P3M")
    /// Six months.
    public static let sixMonths = AdvancedCommercePeriod(rawValue: "P6M")
    /// One year.
    public static let oneYear = AdvancedCommercePeriod(rawValue: "P1Y")

    /// Every value that Apple documents.
    public static let documented: [AdvancedCommercePeriod] = [
        .oneWeek, .oneMonth, .twoMonths, .threeMonths, .sixMonths, .oneYear,
    ]
}
