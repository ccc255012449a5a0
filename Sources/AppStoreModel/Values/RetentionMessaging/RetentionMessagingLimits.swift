/// What Apple's Retention Messaging accepts at most.
///
/// Texts are counted in characters. More is refused with an error of its own for each limit.
///
/// - Source: Retention Messaging API, Upload Message, Upload Image, Configure Realtime URL; the limits of bullet points
///   and of the URL are those of Apple's own libraries.
public enum RetentionMessagingLimits {
    /// The title of a message, in characters.
    public static let headerCharactersMax = 66
    /// The text of a message, in characters.
    public static let bodyCharactersMax = 144
    /// The description of an image, in characters.
    public static let altTextCharactersMax = 150
    /// The points of a message's list.
    public static let bulletPointsMax = 5
    /// The text of a point, in characters.
    public static let bulletPointTextCharactersMax = 66
    /// The real-time URL, in characters.
    public static let realtimeURLCharactersMax = 256
    /// The images that an app may have uploaded at a time.
    public static let imagesMax = 2000
    /// The messages that an app may have uploaded at a time.
    public static let messagesMax = 2000
    /// The exact width of an ``ImageSize/fullSize`` image, in pixels; a PNG without transparency.
    public static let fullSizeWidthPixels = 3840
    /// The height of an ``ImageSize/fullSize`` image, in pixels.
    public static let fullSizeHeightPixels = 160...2160
    /// The exact width and height of an ``ImageSize/bulletPoint`` image, in pixels; a PNG without transparency.
    public static let bulletPointEdgePixels = 1024
    /// How long an answer to a real-time request may take in production, in milliseconds.
    public static let realtimeAnswerMillisecondsMax = 700
}
