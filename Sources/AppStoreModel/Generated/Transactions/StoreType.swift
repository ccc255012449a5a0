// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The type of store from which an app was downloaded.
///
/// - Source: App Store Server API, `storeType`, since 1.22.
public struct StoreType: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The App Store; the only type in the App Store Server API.
    public static let consumer = StoreType(rawValue: "CONSUMER")

    /// Every value that Apple documents.
    public static let documented: [StoreType] = [.consumer]
}
