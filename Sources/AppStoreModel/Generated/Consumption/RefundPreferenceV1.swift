// Generated from Schema/consumption.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The developer's preference for a refund decision, in version 1 of the call.
///
/// - Source: App Store Server API, ConsumptionRequestV1, `refundPreference`.
public struct RefundPreferenceV1: OpenValue {
    /// The raw value in JSON.
    public let rawValue: Int32

    /// Wraps a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Not specified.
    public static let undeclared = RefundPreferenceV1(rawValue: 0)
    /// A refund.
    public static let preferGrant = RefundPreferenceV1(rawValue: 1)
    /// No refund.
    public static let preferDecline = RefundPreferenceV1(rawValue: 2)
    /// No preference.
    public static let noPreference = RefundPreferenceV1(rawValue: 3)

    /// Every value that Apple documents.
    public static let documented: [RefundPreferenceV1] = [.undeclared, .preferGrant, .preferDecline, .noPreference]
}
