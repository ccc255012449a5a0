/// What the customer said to a price increase; absent when there is none.
///
/// - Source: App Store Server API, `priceIncreaseStatus`.
public struct PriceIncreaseStatus: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: Int32

    /// Takes a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Asked, no answer yet.
    public static let pending = PriceIncreaseStatus(rawValue: 0)
    /// Agreed, or informed of an increase that needs no consent.
    public static let accepted = PriceIncreaseStatus(rawValue: 1)

    /// Every value that Apple documents.
    public static let documented: [PriceIncreaseStatus] = [.pending, .accepted]
}
