/// How much the customer got back in the app, on all platforms, in US dollars.
///
/// - Source: App Store Server API, ConsumptionRequestV1, `lifetimeDollarsRefunded`.
public struct LifetimeDollarsRefunded: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: Int32

    /// Takes a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Not said.
    public static let undeclared = LifetimeDollarsRefunded(rawValue: 0)
    /// Nothing.
    public static let zero = LifetimeDollarsRefunded(rawValue: 1)
    /// 0.01 to 49.99.
    public static let underFifty = LifetimeDollarsRefunded(rawValue: 2)
    /// 50 to 99.99.
    public static let fiftyToOneHundred = LifetimeDollarsRefunded(rawValue: 3)
    /// 100 to 499.99.
    public static let oneHundredToFiveHundred = LifetimeDollarsRefunded(rawValue: 4)
    /// 500 to 999.99.
    public static let fiveHundredToOneThousand = LifetimeDollarsRefunded(rawValue: 5)
    /// 1000 to 1999.99.
    public static let oneThousandToTwoThousand = LifetimeDollarsRefunded(rawValue: 6)
    /// 2000 or more.
    public static let twoThousandOrMore = LifetimeDollarsRefunded(rawValue: 7)

    /// Every value that Apple documents.
    public static let documented: [LifetimeDollarsRefunded] = [
        .undeclared, .zero, .underFifty, .fiftyToOneHundred, .oneHundredToFiveHundred, .fiveHundredToOneThousand,
        .oneThousandToTwoThousand, .twoThousandOrMore,
    ]
}
