/// How much of a purchase the customer has consumed.
///
/// - Source: App Store Server API, ConsumptionRequestV1, `consumptionStatus`.
public struct ConsumptionStatus: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: Int32

    /// Takes a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Not said.
    public static let undeclared = ConsumptionStatus(rawValue: 0)
    /// Nothing.
    public static let notConsumed = ConsumptionStatus(rawValue: 1)
    /// A part.
    public static let partiallyConsumed = ConsumptionStatus(rawValue: 2)
    /// Everything.
    public static let fullyConsumed = ConsumptionStatus(rawValue: 3)

    /// Every value that Apple documents.
    public static let documented: [ConsumptionStatus] = [.undeclared, .notConsumed, .partiallyConsumed, .fullyConsumed]
}
