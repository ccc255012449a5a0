public import AppStoreModel

/// Why an external purchase report is refused: all of its errors, or that it is unreadable.
public struct ExternalPurchaseRefusal: Error, Hashable, Sendable {
    /// The errors; empty if a member has the wrong JSON type, for which there is no error code.
    public let errors: [ExternalPurchaseReportError]

    /// Refuses with several errors.
    init(_ errors: [ExternalPurchaseReportError]) { self.errors = errors }

    /// Refuses with one error.
    init(_ code: ExternalPurchaseErrorCode, _ field: String) {
        self.init([ExternalPurchaseReportError(code, field: field)])
    }

    /// The body of Apple's answer; `nil` if there is none.
    public var answer: SendReportErrorResponse? {
        errors.isEmpty ? nil : SendReportErrorResponse(errors: errors)
    }
}

extension ExternalPurchaseReportError {
    init(_ code: ExternalPurchaseErrorCode, field: String? = nil, lineItemId: String? = nil) {
        self.init(errorCode: code, errorMessage: code.message, fieldName: field, lineItemId: lineItemId)
    }
}
