// Generated from Schema/customer-groups.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// A customer's role for one product of an organization.
///
/// - Source: App Store Server API, `role`, since 1.22.
public struct CustomerGroupRole: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Manages the seats.
    public static let admin = CustomerGroupRole(rawValue: "ADMIN")
    /// Has no role.
    public static let none = CustomerGroupRole(rawValue: "NONE")

    /// Every value that Apple documents.
    public static let documented: [CustomerGroupRole] = [.admin, .none]
}
