// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The review state of a message.
///
/// - Source: Retention Messaging API, `messageState`.
public struct MessageState: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// In review.
    public static let pending = MessageState(rawValue: "PENDING")
    /// Customers may see it; the sandbox approves at once.
    public static let approved = MessageState(rawValue: "APPROVED")
    /// Customers never see it.
    public static let rejected = MessageState(rawValue: "REJECTED")

    /// Every value that Apple documents.
    public static let documented: [MessageState] = [.pending, .approved, .rejected]
}
