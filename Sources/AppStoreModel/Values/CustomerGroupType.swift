/// What kind of group shares a multiseat purchase.
///
/// - Source: App Store Server API, `groupType`, since 1.22.
public struct CustomerGroupType: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Takes a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An organization that buys in volume.
    public static let organization = CustomerGroupType(rawValue: "ORGANIZATION")
    /// A subscriber with those whom they invited.
    public static let consumer = CustomerGroupType(rawValue: "CONSUMER")

    /// Every value that Apple documents.
    public static let documented: [CustomerGroupType] = [.organization, .consumer]
}
