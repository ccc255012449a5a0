// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The environment of a payload.
///
/// - Source: App Store Server API, `environment`.
public struct AppStoreEnvironment: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Real purchases.
    public static let production = AppStoreEnvironment(rawValue: "Production")
    /// Sandbox testers and TestFlight.
    public static let sandbox = AppStoreEnvironment(rawValue: "Sandbox")
    /// StoreKit testing in Xcode; never signed by Apple.
    public static let xcode = AppStoreEnvironment(rawValue: "Xcode")
    /// Unit tests of Apple's own libraries; never signed by Apple.
    public static let localTesting = AppStoreEnvironment(rawValue: "LocalTesting")

    /// Every value that Apple documents.
    public static let documented: [AppStoreEnvironment] = [.production, .sandbox, .xcode, .localTesting]
}
