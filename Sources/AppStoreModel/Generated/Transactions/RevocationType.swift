// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// How a purchase was revoked.
///
/// - Source: App Store Server API, `revocationType`.
public struct RevocationType: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A full refund.
    public static let fullRefund = RevocationType(rawValue: "REFUND_FULL")
    /// A partial refund.
    public static let proratedRefund = RevocationType(rawValue: "REFUND_PRORATED")
    /// No longer shared in the family.
    public static let familyRevoke = RevocationType(rawValue: "FAMILY_REVOKE")
    /// A withdrawn seat.
    public static let assignmentRevoke = RevocationType(rawValue: "ASSIGNMENT_REVOKE")

    /// Every value that Apple documents.
    public static let documented: [RevocationType] = [.fullRefund, .proratedRefund, .familyRevoke, .assignmentRevoke]
}
