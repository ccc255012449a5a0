// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Whether a subscription renews at the end of its period.
///
/// - Source: App Store Server API, `autoRenewStatus`.
public struct AutoRenewStatus: OpenValue {
    /// The raw value in JSON.
    public let rawValue: Int32

    /// Wraps a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// It ends.
    public static let off = AutoRenewStatus(rawValue: 0)
    /// It renews.
    public static let on = AutoRenewStatus(rawValue: 1)

    /// Every value that Apple documents.
    public static let documented: [AutoRenewStatus] = [.off, .on]
}
