/// On whose platform the customer consumed a purchase.
///
/// - Source: App Store Server API, ConsumptionRequestV1, `platform`.
public struct ConsumptionPlatform: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: Int32

    /// Takes a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Not said.
    public static let undeclared = ConsumptionPlatform(rawValue: 0)
    /// One of Apple's.
    public static let apple = ConsumptionPlatform(rawValue: 1)
    /// Another.
    public static let nonApple = ConsumptionPlatform(rawValue: 2)

    /// Every value that Apple documents.
    public static let documented: [ConsumptionPlatform] = [.undeclared, .apple, .nonApple]
}
