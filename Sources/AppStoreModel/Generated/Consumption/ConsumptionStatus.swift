// Generated from Schema/consumption.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The part of a purchase that the customer has consumed.
///
/// - Source: App Store Server API, ConsumptionRequestV1, `consumptionStatus`.
public struct ConsumptionStatus: OpenValue {
    /// The raw value in JSON.
    public let rawValue: Int32

    /// Wraps a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Not specified.
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
