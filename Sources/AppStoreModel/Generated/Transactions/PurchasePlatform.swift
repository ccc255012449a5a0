// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The platform on which a customer first got an app.
///
/// - Source: App Store Server API, `originalPlatform`.
public struct PurchasePlatform: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// iOS and iPadOS.
    public static let iOS = PurchasePlatform(rawValue: "iOS")
    /// macOS.
    public static let macOS = PurchasePlatform(rawValue: "macOS")
    /// tvOS.
    public static let tvOS = PurchasePlatform(rawValue: "tvOS")
    /// visionOS.
    public static let visionOS = PurchasePlatform(rawValue: "visionOS")

    /// Every value that Apple documents.
    public static let documented: [PurchasePlatform] = [.iOS, .macOS, .tvOS, .visionOS]
}
