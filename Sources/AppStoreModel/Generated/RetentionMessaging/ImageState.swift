// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The review state of an image.
///
/// - Source: Retention Messaging API, `imageState`.
public struct ImageState: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// In review.
    public static let pending = ImageState(rawValue: "PENDING")
    /// Customers may see it; the sandbox approves at once.
    public static let approved = ImageState(rawValue: "APPROVED")
    /// Customers never see it.
    public static let rejected = ImageState(rawValue: "REJECTED")

    /// Every value that Apple documents.
    public static let documented: [ImageState] = [.pending, .approved, .rejected]
}
