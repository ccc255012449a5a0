// Generated from Schema/consumption.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// How much the customer has paid in the app, on all platforms, in US dollars.
///
/// - Source: App Store Server API, ConsumptionRequestV1, `lifetimeDollarsPurchased`.
public struct LifetimeDollarsPurchased: OpenValue {
    /// The raw value in JSON.
    public let rawValue: Int32

    /// Wraps a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Not specified.
    public static let undeclared = LifetimeDollarsPurchased(rawValue: 0)
    /// Nothing.
    public static let zero = LifetimeDollarsPurchased(rawValue: 1)
    /// 0.01 to 49.99.
    public static let under50 = LifetimeDollarsPurchased(rawValue: 2)
    /// 50 to 99.99.
    public static let from50To100 = LifetimeDollarsPurchased(rawValue: 3)
    /// 100 to 499.99.
    public static let from100To500 = LifetimeDollarsPurchased(rawValue: 4)
    /// 500 to 999.99.
    public static let from500To1000 = LifetimeDollarsPurchased(rawValue: 5)
    /// 1000 to 1999.99.
    public static let from1000To2000 = LifetimeDollarsPurchased(rawValue: 6)
    /// 2000 or more.
    public static let atLeast2000 = LifetimeDollarsPurchased(rawValue: 7)

    /// Every value that Apple documents.
    public static let documented: [LifetimeDollarsPurchased] = [
        .undeclared, .zero, .under50, .from50To100, .from100To500, .from500To1000, .from1000To2000, .atLeast2000,
    ]
}
