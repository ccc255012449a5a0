// Generated from Schema/transactions.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// Why a purchase was revoked.
///
/// - Source: App Store Server API, `revocationReason`.
public struct RevocationReason: OpenValue {
    /// The raw value in JSON.
    public let rawValue: Int32

    /// Wraps a value, known or not.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Any other reason.
    public static let other = RevocationReason(rawValue: 0)
    /// An actual or perceived issue in the app.
    public static let appIssue = RevocationReason(rawValue: 1)

    /// Every value that Apple documents.
    public static let documented: [RevocationReason] = [.other, .appIssue]
}
