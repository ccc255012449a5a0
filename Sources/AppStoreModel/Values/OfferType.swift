/// The kind of offer that a price comes from.
///
/// - Source: App Store Server API, `offerType`.
public struct OfferType: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: Int32

    /// Takes a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// For those who never had one in the subscription group.
    public static let introductory = OfferType(rawValue: 1)
    /// Signed by the developer for present and past subscribers.
    public static let promotional = OfferType(rawValue: 2)
    /// A code that the customer redeems.
    public static let offerCode = OfferType(rawValue: 3)
    /// For those who left.
    public static let winBack = OfferType(rawValue: 4)

    /// Every value that Apple documents.
    public static let documented: [OfferType] = [.introductory, .promotional, .offerCode, .winBack]
}
