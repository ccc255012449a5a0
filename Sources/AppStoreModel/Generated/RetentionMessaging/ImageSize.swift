// Generated from Schema/retention-messaging.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The purpose of an image, which determines its size.
///
/// - Source: Retention Messaging API, `imageSize`.
public struct ImageSize: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Beside the text; the default.
    public static let fullSize = ImageSize(rawValue: "FULL_SIZE")
    /// Before a bullet point.
    public static let bulletPoint = ImageSize(rawValue: "BULLET_POINT")

    /// Every value that Apple documents.
    public static let documented: [ImageSize] = [.fullSize, .bulletPoint]
}
