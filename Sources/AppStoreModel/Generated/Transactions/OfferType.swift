// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The kind of offer behind a price.
///
/// - Source: App Store Server API, `offerType`.
public struct OfferType: OpenValue {
    /// The raw value in JSON.
    public let rawValue: Int32

    /// Wraps a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// For customers who never used one in the subscription group.
    public static let introductory = OfferType(rawValue: 1)
    /// Signed by the developer for current and former subscribers.
    public static let promotional = OfferType(rawValue: 2)
    /// A code that the customer redeems.
    public static let offerCode = OfferType(rawValue: 3)
    /// For former subscribers.
    public static let winBack = OfferType(rawValue: 4)

    /// Every value that Apple documents.
    public static let documented: [OfferType] = [.introductory, .promotional, .offerCode, .winBack]
}
