// Generated from Schema/advanced-commerce.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The purpose of an Advanced Commerce offer.
///
/// - Source: Advanced Commerce API, `reason`.
public struct AdvancedCommerceOfferReason: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// To win customers.
    public static let acquisition = AdvancedCommerceOfferReason(rawValue: "ACQUISITION")
    /// To win them back.
    public static let winBack = AdvancedCommerceOfferReason(rawValue: "WIN_BACK")
    /// To keep them.
    public static let retention = AdvancedCommerceOfferReason(rawValue: "RETENTION")

    /// Every value that Apple documents.
    public static let documented: [AdvancedCommerceOfferReason] = [.acquisition, .winBack, .retention]
}
