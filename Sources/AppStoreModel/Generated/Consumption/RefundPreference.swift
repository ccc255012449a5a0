// Generated from Schema/consumption.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The developer's preference for a refund decision.
///
/// - Source: App Store Server API, ConsumptionRequest, `refundPreference`.
public struct RefundPreference: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No refund.
    public static let decline = RefundPreference(rawValue: "DECLINE")
    /// A full refund.
    public static let grantFull = RefundPreference(rawValue: "GRANT_FULL")
    /// A refund of the unconsumed part.
    public static let grantProrated = RefundPreference(rawValue: "GRANT_PRORATED")

    /// Every value that Apple documents.
    public static let documented: [RefundPreference] = [.decline, .grantFull, .grantProrated]
}
