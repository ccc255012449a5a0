/// An error in an external purchase report.
///
/// - Source: External Purchase Server API, Error messages and codes.
public struct ExternalPurchaseErrorCode: OpenValue {
    /// The raw value in JSON.
    public let rawValue: Int64

    /// Wraps a value, known or not.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Apple's name of the error without its suffix `Error`; nil when the code is unknown.
    public var name: String? { Self.table[rawValue]?.name }

    /// Apple's message, `errorMessage`; nil if the code is unknown.
    public var message: String? { Self.table[rawValue]?.message }

    /// The remedy, in one sentence; nil if the code is unknown.
    public var meaning: String? { Self.table[rawValue]?.meaning }

    /// Every value that Apple documents.
    public static let documented = table.keys.sorted().map(ExternalPurchaseErrorCode.init(rawValue:))
}

extension ExternalPurchaseErrorCode {
    /// The line item or the report was sent before; send nothing, or mark a restatement.
    public static let duplicateValue = ExternalPurchaseErrorCode(rawValue: 1)
    /// Apple has no report, token or line item with that identifier.
    public static let notFound = ExternalPurchaseErrorCode(rawValue: 3)
    /// Concurrent reports for the same token; send them sequentially.
    public static let simultaneousSubmission = ExternalPurchaseErrorCode(rawValue: 26)

    struct Entry: Sendable {
        let name: String
        let message: String
        let meaning: String
    }
}
