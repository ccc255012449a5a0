/// What an image is for, which decides its size.
///
/// - Source: Retention Messaging API, `imageSize`.
public struct ImageSize: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Takes a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Beside the text; the size when none is given.
    public static let fullSize = ImageSize(rawValue: "FULL_SIZE")
    /// Before a point of the list.
    public static let bulletPoint = ImageSize(rawValue: "BULLET_POINT")

    /// Every value that Apple documents.
    public static let documented: [ImageSize] = [.fullSize, .bulletPoint]
}
