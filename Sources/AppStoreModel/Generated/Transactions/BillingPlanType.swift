// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// How a subscription with a commitment is billed.
///
/// - Source: App Store Server API, `billingPlanType`.
public struct BillingPlanType: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The whole period at once.
    public static let billedUpfront = BillingPlanType(rawValue: "BILLED_UPFRONT")
    /// Each month of a commitment of twelve.
    public static let monthly = BillingPlanType(rawValue: "MONTHLY")

    /// Every value that Apple documents.
    public static let documented: [BillingPlanType] = [.billedUpfront, .monthly]
}
