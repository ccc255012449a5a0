// Generated from Schema/purchase-data.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Whether a customer's order identifier belongs to the app.
///
/// - Source: App Store Server API, OrderLookupStatus.
public struct OrderLookupStatus: OpenValue {
    /// The raw value in JSON.
    public let rawValue: Int32

    /// Wraps a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The order has purchases in the app.
    public static let valid = OrderLookupStatus(rawValue: 0)
    /// The order is unknown, or has no purchases in the app.
    public static let invalid = OrderLookupStatus(rawValue: 1)

    /// Every value that Apple documents.
    public static let documented: [OrderLookupStatus] = [.valid, .invalid]
}
