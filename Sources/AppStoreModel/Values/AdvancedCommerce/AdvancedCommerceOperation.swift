/// What an in-app request of Advanced Commerce asks for.
///
/// - Source: Advanced Commerce API, `operation`.
public struct AdvancedCommerceOperation: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Takes a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Sell a product once.
    public static let createOneTimeCharge = AdvancedCommerceOperation(rawValue: "CREATE_ONE_TIME_CHARGE")
    /// Sell a subscription.
    public static let createSubscription = AdvancedCommerceOperation(rawValue: "CREATE_SUBSCRIPTION")
    /// Change what a subscription consists of.
    public static let modifySubscription = AdvancedCommerceOperation(rawValue: "MODIFY_SUBSCRIPTION")
    /// Turn the renewal on again.
    public static let reactivateSubscription = AdvancedCommerceOperation(rawValue: "REACTIVATE_SUBSCRIPTION")

    /// Every value that Apple documents.
    public static let documented: [AdvancedCommerceOperation] = [
        .createOneTimeCharge, .createSubscription, .modifySubscription, .reactivateSubscription,
    ]
}
