/// How long the customer has used the app.
///
/// - Source: App Store Server API, ConsumptionRequestV1, `playTime`.
public struct PlayTime: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: Int32

    /// Takes a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Not said.
    public static let undeclared = PlayTime(rawValue: 0)
    /// 0 to 5 minutes.
    public static let upToFiveMinutes = PlayTime(rawValue: 1)
    /// 5 to 60 minutes.
    public static let fiveToSixtyMinutes = PlayTime(rawValue: 2)
    /// 1 to 6 hours.
    public static let oneToSixHours = PlayTime(rawValue: 3)
    /// 6 to 24 hours.
    public static let sixToTwentyFourHours = PlayTime(rawValue: 4)
    /// 1 to 4 days.
    public static let oneToFourDays = PlayTime(rawValue: 5)
    /// 4 to 16 days.
    public static let fourToSixteenDays = PlayTime(rawValue: 6)
    /// More than 16 days.
    public static let overSixteenDays = PlayTime(rawValue: 7)

    /// Every value that Apple documents.
    public static let documented: [PlayTime] = [
        .undeclared, .upToFiveMinutes, .fiveToSixtyMinutes, .oneToSixHours, .sixToTwentyFourHours, .oneToFourDays,
        .fourToSixteenDays, .overSixteenDays,
    ]
}
