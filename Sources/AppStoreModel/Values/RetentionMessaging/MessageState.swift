/// How far the review of a message is.
///
/// - Source: Retention Messaging API, `messageState`.
public struct MessageState: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Takes a value, known or not.
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
