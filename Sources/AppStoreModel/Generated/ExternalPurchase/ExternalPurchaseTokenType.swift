// Generated from Schema/external-purchase.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The purpose of an external purchase token.
///
/// - Source: App Store Server Notifications, `tokenType`.
public struct ExternalPurchaseTokenType: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Store services.
    public static let services = ExternalPurchaseTokenType(rawValue: "SERVICES")
    /// Customer acquisition.
    public static let acquisition = ExternalPurchaseTokenType(rawValue: "ACQUISITION")
    /// Core technology.
    public static let coreTechnology = ExternalPurchaseTokenType(rawValue: "CORE_TECHNOLOGY")

    /// Every value that Apple documents.
    public static let documented: [ExternalPurchaseTokenType] = [.services, .acquisition, .coreTechnology]
}
