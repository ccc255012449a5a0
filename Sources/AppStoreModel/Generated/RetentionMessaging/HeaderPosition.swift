// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The position of the title of a message.
///
/// - Source: Retention Messaging API, `headerPosition`.
public struct HeaderPosition: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Above the text; the default.
    public static let aboveBody = HeaderPosition(rawValue: "ABOVE_BODY")
    /// Above the image, which is required.
    public static let aboveImage = HeaderPosition(rawValue: "ABOVE_IMAGE")

    /// Every value that Apple documents.
    public static let documented: [HeaderPosition] = [.aboveBody, .aboveImage]
}
