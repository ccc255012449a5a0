// Generated from Schema/advanced-commerce.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The kind of change that replaces an item of an Advanced Commerce subscription.
///
/// - Source: Advanced Commerce API, `reason` of changed items.
public struct AdvancedCommerceReason: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// To a higher level of service.
    public static let upgrade = AdvancedCommerceReason(rawValue: "UPGRADE")
    /// To a lower level of service.
    public static let downgrade = AdvancedCommerceReason(rawValue: "DOWNGRADE")
    /// The same with an offer.
    public static let applyOffer = AdvancedCommerceReason(rawValue: "APPLY_OFFER")

    /// Every value that Apple documents.
    public static let documented: [AdvancedCommerceReason] = [.upgrade, .downgrade, .applyOffer]
}
