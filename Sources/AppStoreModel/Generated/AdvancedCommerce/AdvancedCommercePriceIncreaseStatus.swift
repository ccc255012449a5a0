// Generated from Schema/advanced-commerce.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The status of a price increase of an Advanced Commerce item.
///
/// - Source: Advanced Commerce API, `status`.
public struct AdvancedCommercePriceIncreaseStatus: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Planned.
    public static let scheduled = AdvancedCommercePriceIncreaseStatus(rawValue: "SCHEDULED")
    /// The customer was asked.
    public static let pending = AdvancedCommercePriceIncreaseStatus(rawValue: "PENDING")
    /// The customer agreed.
    public static let accepted = AdvancedCommercePriceIncreaseStatus(rawValue: "ACCEPTED")

    /// Every value that Apple documents.
    public static let documented: [AdvancedCommercePriceIncreaseStatus] = [.scheduled, .pending, .accepted]
}
