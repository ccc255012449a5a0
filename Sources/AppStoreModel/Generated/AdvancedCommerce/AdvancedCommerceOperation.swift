// Generated from Schema/advanced-commerce.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The operation of an Advanced Commerce in-app request.
///
/// - Source: Advanced Commerce API, `operation`.
public struct AdvancedCommerceOperation: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Sell a one-time charge.
    public static let createOneTimeCharge = AdvancedCommerceOperation(rawValue: "CREATE_ONE_TIME_CHARGE")
    /// Sell a subscription.
    public static let createSubscription = AdvancedCommerceOperation(rawValue: "CREATE_SUBSCRIPTION")
    /// Change the items of a subscription.
    public static let modifySubscription = AdvancedCommerceOperation(rawValue: "MODIFY_SUBSCRIPTION")
    /// Turn the renewal on again.
    public static let reactivateSubscription = AdvancedCommerceOperation(rawValue: "REACTIVATE_SUBSCRIPTION")

    /// Every value that Apple documents.
    public static let documented: [AdvancedCommerceOperation] = [
        .createOneTimeCharge, .createSubscription, .modifySubscription, .reactivateSubscription,
    ]
}
