// Generated from Schema/consumption.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// How long the customer has used the app.
///
/// - Source: App Store Server API, ConsumptionRequestV1, `playTime`.
public struct PlayTime: OpenValue {
    /// The raw value in JSON.
    public let rawValue: Int32

    /// Wraps a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Not specified.
    public static let undeclared = PlayTime(rawValue: 0)
    /// 0 to 5 minutes.
    public static let upTo5Minutes = PlayTime(rawValue: 1)
    /// 5 to 60 minutes.
    public static let minutes5To60 = PlayTime(rawValue: 2)
    /// 1 to 6 hours.
    public static let hours1To6 = PlayTime(rawValue: 3)
    /// 6 to 24 hours.
    public static let hours6To24 = PlayTime(rawValue: 4)
    /// 1 to 4 days.
    public static let days1To4 = PlayTime(rawValue: 5)
    /// 4 to 16 days.
    public static let days4To16 = PlayTime(rawValue: 6)
    /// More than 16 days.
    public static let over16Days = PlayTime(rawValue: 7)

    /// Every value that Apple documents.
    public static let documented: [PlayTime] = [
        .undeclared, .upTo5Minutes, .minutes5To60, .hours1To6, .hours6To24, .days1To4, .days4To16, .over16Days,
    ]
}
