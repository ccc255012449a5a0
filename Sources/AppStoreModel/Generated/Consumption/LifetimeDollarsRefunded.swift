// Generated from Schema/consumption.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// How much the customer got back in the app, on all platforms, in US dollars.
///
/// - Source: App Store Server API, ConsumptionRequestV1, `lifetimeDollarsRefunded`.
public struct LifetimeDollarsRefunded: OpenValue {
    /// The raw value in JSON.
    public let rawValue: Int32

    /// Wraps a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Not specified.
    public static let undeclared = LifetimeDollarsRefunded(rawValue: 0)
    /// Nothing.
    public static let zero = LifetimeDollarsRefunded(rawValue: 1)
    /// 0.01 to 49.99.
    public static let under50 = LifetimeDollarsRefunded(rawValue: 2)
    /// 50 to 99.99.
    public static let from50To100 = LifetimeDollarsRefunded(rawValue: 3)
    /// 100 to 499.99.
    public static let from100To500 = LifetimeDollarsRefunded(rawValue: 4)
    /// 500 to 999.99.
    public static let from500To1000 = LifetimeDollarsRefunded(rawValue: 5)
    /// 1000 to 1999.99.
    public static let from1000To2000 = LifetimeDollarsRefunded(rawValue: 6)
    /// 2000 or more.
    public static let atLeast2000 = LifetimeDollarsRefunded(rawValue: 7)

    /// Every value that Apple documents.
    public static let documented: [LifetimeDollarsRefunded] = [
        .undeclared, .zero, .under50, .from50To100, .from100To500, .from500To1000, .from1000To2000, .atLeast2000,
    ]
}
