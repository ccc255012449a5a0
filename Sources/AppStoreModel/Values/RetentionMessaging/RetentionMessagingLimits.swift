/// The limits of Apple's Retention Messaging.
///
/// Texts are counted in characters. Each limit has its own error.
///
/// - Source: Retention Messaging API, Upload Message, Upload Image, Configure Realtime URL; the limits of bullet points
///   and of the URL are those of Apple's own libraries.
public enum RetentionMessagingLimits {
    /// The maximum length of a message's title, in characters.
    public static let headerCharactersMax = 66
    /// The maximum length of a message's text, in characters.
    public static let bodyCharactersMax = 144
    /// The maximum length of an alternative text, in characters.
    public static let altTextCharactersMax = 150
    /// The maximum number of bullet points.
    public static let bulletPointsMax = 5
    /// The maximum length of a bullet point's text, in characters.
    public static let bulletPointTextCharactersMax = 66
    /// The maximum length of the realtime URL, in characters.
    public static let realtimeURLCharactersMax = 256
    /// The maximum number of uploaded images of an app.
    public static let imagesMax = 2000
    /// The maximum number of uploaded messages of an app.
    public static let messagesMax = 2000
    /// The exact width of an ``ImageSize/fullSize`` image, in pixels; a PNG without transparency.
    public static let fullSizeWidthPixels = 3840
    /// The height of an ``ImageSize/fullSize`` image, in pixels.
    public static let fullSizeHeightPixels = 160...2160
    /// The exact width and height of an ``ImageSize/bulletPoint`` image, in pixels; a PNG without transparency.
    public static let bulletPointEdgePixels = 1024
    /// The maximum response time of a realtime request in production, in milliseconds.
    public static let realtimeAnswerMillisecondsMax = 700
}
