// Generated from Schema/customer-groups.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Who invites the members of a multiseat subscription.
///
/// - Source: App Store Server Notifications, `invitationManagement`.
public struct InvitationManagement: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Apple.
    public static let apple = InvitationManagement(rawValue: "APPLE")
    /// The developer.
    public static let developer = InvitationManagement(rawValue: "DEVELOPER")

    /// Every value that Apple documents.
    public static let documented: [InvitationManagement] = [.apple, .developer]
}
