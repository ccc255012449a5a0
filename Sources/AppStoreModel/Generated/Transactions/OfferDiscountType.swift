// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// How an offer is paid.
///
/// - Source: App Store Server API, `offerDiscountType`.
public struct OfferDiscountType: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Free for the offer's period.
    public static let freeTrial = OfferDiscountType(rawValue: "FREE_TRIAL")
    /// A lower price at each renewal.
    public static let payAsYouGo = OfferDiscountType(rawValue: "PAY_AS_YOU_GO")
    /// One price for the offer's whole period.
    public static let payUpFront = OfferDiscountType(rawValue: "PAY_UP_FRONT")
    /// A lower price, once, for a product other than a subscription.
    public static let oneTime = OfferDiscountType(rawValue: "ONE_TIME")

    /// Every value that Apple documents.
    public static let documented: [OfferDiscountType] = [.freeTrial, .payAsYouGo, .payUpFront, .oneTime]
}
