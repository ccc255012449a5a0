// Generated from Schema/external-purchase.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The status of a token in a report.
///
/// - Source: External Purchase Server API, `status`.
public struct ExternalPurchaseReportStatus: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The report has transactions.
    public static let lineItem = ExternalPurchaseReportStatus(rawValue: "LINE_ITEM")
    /// The token led to no transaction.
    public static let noLineItem = ExternalPurchaseReportStatus(rawValue: "NO_LINE_ITEM")
    /// The token is known only from a notification of Apple's.
    public static let unrecognizedToken = ExternalPurchaseReportStatus(rawValue: "UNRECOGNIZED_TOKEN")
    /// The token is for the same customer as another one; since 1.2.0.
    public static let duplicateToken = ExternalPurchaseReportStatus(rawValue: "DUPLICATE_TOKEN")

    /// Every value that Apple documents.
    public static let documented: [ExternalPurchaseReportStatus] = [
        .lineItem, .noLineItem, .unrecognizedToken, .duplicateToken,
    ]
}
