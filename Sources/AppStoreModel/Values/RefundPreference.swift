/// What the developer would have Apple decide about a refund.
///
/// - Source: App Store Server API, ConsumptionRequest, `refundPreference`.
public struct RefundPreference: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Takes a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No refund.
    public static let decline = RefundPreference(rawValue: "DECLINE")
    /// A refund of everything.
    public static let grantFull = RefundPreference(rawValue: "GRANT_FULL")
    /// A refund of what was not consumed.
    public static let grantProrated = RefundPreference(rawValue: "GRANT_PRORATED")

    /// Every value that Apple documents.
    public static let documented: [RefundPreference] = [.decline, .grantFull, .grantProrated]
}
