// Generated from Schema/customer-groups.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The type of group that shares a multiseat purchase.
///
/// - Source: App Store Server API, `groupType`, since 1.22.
public struct CustomerGroupType: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An organization that buys in volume.
    public static let organization = CustomerGroupType(rawValue: "ORGANIZATION")
    /// A subscriber with invited members.
    public static let consumer = CustomerGroupType(rawValue: "CONSUMER")

    /// Every value that Apple documents.
    public static let documented: [CustomerGroupType] = [.organization, .consumer]
}
