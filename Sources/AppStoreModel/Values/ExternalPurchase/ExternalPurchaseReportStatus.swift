/// What a report says about a token.
///
/// - Source: External Purchase Server API, `status`.
public struct ExternalPurchaseReportStatus: OpenValue {
    /// The value as it is on the wire.
    public let rawValue: String

    /// Takes a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The report has transactions.
    public static let lineItem = ExternalPurchaseReportStatus(rawValue: "LINE_ITEM")
    /// The token led to no transaction.
    public static let noLineItem = ExternalPurchaseReportStatus(rawValue: "NO_LINE_ITEM")
    /// The token is known only from a notification of Apple's.
    public static let unrecognizedToken = ExternalPurchaseReportStatus(rawValue: "UNRECOGNIZED_TOKEN")
    /// The token stands for the same customer as another; since 1.2.0.
    public static let duplicateToken = ExternalPurchaseReportStatus(rawValue: "DUPLICATE_TOKEN")

    /// Every value that Apple documents.
    public static let documented: [ExternalPurchaseReportStatus] = [
        .lineItem, .noLineItem, .unrecognizedToken, .duplicateToken,
    ]
}
