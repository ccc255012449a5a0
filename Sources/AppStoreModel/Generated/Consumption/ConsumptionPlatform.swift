// Generated from Schema/consumption.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The platform on which the customer consumed a purchase.
///
/// - Source: App Store Server API, ConsumptionRequestV1, `platform`.
public struct ConsumptionPlatform: OpenValue {
    /// The raw value in JSON.
    public let rawValue: Int32

    /// Wraps a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Not specified.
    public static let undeclared = ConsumptionPlatform(rawValue: 0)
    /// An Apple platform.
    public static let apple = ConsumptionPlatform(rawValue: 1)
    /// Another platform.
    public static let nonApple = ConsumptionPlatform(rawValue: 2)

    /// Every value that Apple documents.
    public static let documented: [ConsumptionPlatform] = [.undeclared, .apple, .nonApple]
}
