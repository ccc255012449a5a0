/// How a purchase was taken back.
///
/// - Source: App Store Server API, `revocationType`.
public struct RevocationType: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Takes a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// All money back.
    public static let fullRefund = RevocationType(rawValue: "REFUND_FULL")
    /// A part of the money back.
    public static let proratedRefund = RevocationType(rawValue: "REFUND_PRORATED")
    /// No longer shared in the family.
    public static let familyRevoke = RevocationType(rawValue: "FAMILY_REVOKE")
    /// A seat taken away.
    public static let assignmentRevoke = RevocationType(rawValue: "ASSIGNMENT_REVOKE")

    /// Every value that Apple documents.
    public static let documented: [RevocationType] = [.fullRefund, .proratedRefund, .familyRevoke, .assignmentRevoke]
}
