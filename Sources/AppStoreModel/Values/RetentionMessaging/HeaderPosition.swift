/// Where the title of a message stands.
///
/// - Source: Retention Messaging API, `headerPosition`.
public struct HeaderPosition: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Takes a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Above the text; so when none is given.
    public static let aboveBody = HeaderPosition(rawValue: "ABOVE_BODY")
    /// Above the image, which there must be.
    public static let aboveImage = HeaderPosition(rawValue: "ABOVE_IMAGE")

    /// Every value that Apple documents.
    public static let documented: [HeaderPosition] = [.aboveBody, .aboveImage]
}
