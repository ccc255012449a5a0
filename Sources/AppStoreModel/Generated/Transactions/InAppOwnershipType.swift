// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// How a customer owns a purchase.
///
/// - Source: App Store Server API, `inAppOwnershipType`.
public struct InAppOwnershipType: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Bought by this customer.
    public static let purchased = InAppOwnershipType(rawValue: "PURCHASED")
    /// Shared by a member of the family.
    public static let familyShared = InAppOwnershipType(rawValue: "FAMILY_SHARED")
    /// A seat assigned by an organization or group.
    public static let assigned = InAppOwnershipType(rawValue: "ASSIGNED")

    /// Every value that Apple documents.
    public static let documented: [InAppOwnershipType] = [.purchased, .familyShared, .assigned]
}
