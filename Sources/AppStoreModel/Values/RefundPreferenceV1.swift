/// What the developer would have Apple decide about a refund, as the first version of the call has it.
///
/// - Source: App Store Server API, ConsumptionRequestV1, `refundPreference`.
public struct RefundPreferenceV1: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: Int32

    /// Takes a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Not said.
    public static let undeclared = RefundPreferenceV1(rawValue: 0)
    /// A refund.
    public static let preferGrant = RefundPreferenceV1(rawValue: 1)
    /// No refund.
    public static let preferDecline = RefundPreferenceV1(rawValue: 2)
    /// Either.
    public static let noPreference = RefundPreferenceV1(rawValue: 3)

    /// Every value that Apple documents.
    public static let documented: [RefundPreferenceV1] = [.undeclared, .preferGrant, .preferDecline, .noPreference]
}
