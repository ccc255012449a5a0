public import AppStoreModel

/// Why an external purchase report is refused: everything that is wrong in it, or that it cannot be read at all.
public struct ExternalPurchaseRefusal: Error, Hashable, Sendable {
    /// What is wrong; empty where a member has another JSON type than Apple's, for which there is no error code.
    public let errors: [ExternalPurchaseReportError]

    /// Refuses for reasons.
    init(_ errors: [ExternalPurchaseReportError]) { self.errors = errors }

    /// Refuses for one reason.
    init(_ code: ExternalPurchaseErrorCode, _ field: String) {
        self.init([ExternalPurchaseReportError(code, field: field)])
    }

    /// The body of Apple's answer; `nil` where there is none.
    public var answer: SendReportErrorResponse? {
        errors.isEmpty ? nil : SendReportErrorResponse(errors: errors)
    }
}

extension ExternalPurchaseReportError {
    init(_ code: ExternalPurchaseErrorCode, field: String? = nil, lineItemId: String? = nil) {
        self.init(errorCode: code, errorMessage: code.message, fieldName: field, lineItemId: lineItemId)
    }
}
