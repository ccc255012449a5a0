/// Why a customer asks for a refund.
///
/// - Source: App Store Server Notifications, `consumptionRequestReason`.
public struct ConsumptionRequestReason: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Takes a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Did not mean to buy.
    public static let unintendedPurchase = ConsumptionRequestReason(rawValue: "UNINTENDED_PURCHASE")
    /// Did not get it, or it does not work.
    public static let fulfillmentIssue = ConsumptionRequestReason(rawValue: "FULFILLMENT_ISSUE")
    /// Is not content with it.
    public static let unsatisfiedWithPurchase = ConsumptionRequestReason(rawValue: "UNSATISFIED_WITH_PURCHASE")
    /// A legal reason.
    public static let legal = ConsumptionRequestReason(rawValue: "LEGAL")
    /// Another reason.
    public static let other = ConsumptionRequestReason(rawValue: "OTHER")

    /// Every value that Apple documents.
    public static let documented: [ConsumptionRequestReason] = [
        .unintendedPurchase, .fulfillmentIssue, .unsatisfiedWithPurchase, .legal, .other,
    ]
}
