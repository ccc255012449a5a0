/// How far a price increase of an Advanced Commerce item is.
///
/// - Source: Advanced Commerce API, `status`.
public struct AdvancedCommercePriceIncreaseStatus: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Takes a value, known or not.
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
