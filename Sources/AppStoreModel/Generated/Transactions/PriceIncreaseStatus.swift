// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The customer's answer to a price increase; absent if there is none.
///
/// - Source: App Store Server API, `priceIncreaseStatus`.
public struct PriceIncreaseStatus: OpenValue {
    /// The raw value in JSON.
    public let rawValue: Int32

    /// Wraps a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Asked, no answer yet.
    public static let pending = PriceIncreaseStatus(rawValue: 0)
    /// Agreed, or informed of an increase that needs no consent.
    public static let accepted = PriceIncreaseStatus(rawValue: 1)

    /// Every value that Apple documents.
    public static let documented: [PriceIncreaseStatus] = [.pending, .accepted]
}
