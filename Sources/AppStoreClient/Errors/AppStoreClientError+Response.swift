import AppStoreModel

extension AppStoreClientError {
    /// The error of an unsuccessful answer.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - call: What was asked.
    ///   - now: The wall clock, in milliseconds since 1970.
    init(refusal response: AppStoreHTTPResponse, of call: AppStoreServerCall, now: Int64) {
        let body = AppStoreServerAPIErrorBody(httpStatus: response.status, bytes: response.body)
        let code = Self.code(status: response.status, apiError: body.error)
        self.init(
            code: code,
            message: Self.message(body, code: code, call: call),
            isRetryable: Self.isRetryable(body),
            response: response,
            apiError: body.error,
            apiErrorText: body.codeText,
            retryAfter: response.headers["retry-after"].flatMap { RetryAfter($0, now: now) }
        )
    }

    /// The error of a 401 answer.
    init(unauthorized response: AppStoreHTTPResponse, diagnosis: UnauthorizedDiagnosis) {
        let body = AppStoreServerAPIErrorBody(httpStatus: response.status, bytes: response.body)
        self.init(
            code: .unauthorized,
            message: diagnosis.message,
            response: response,
            apiError: body.error,
            apiErrorText: body.codeText,
            unauthorizedCauses: diagnosis.causes
        )
    }

    /// The error of an attempt without a complete answer.
    init(_ error: HTTPTransportError) {
        let code: Code =
            switch error.code {
            case .connectionFailed: .connectionFailed
            case .timedOut: .timedOut
            case .responseTooLarge: .responseTooLarge
            case .requestInvalid: .invalidRequest
            case .cancelled: .cancelled
            default: .connectionLost
            }
        let final: Set<HTTPTransportError.Code> = [.responseTooLarge, .requestInvalid, .cancelled]
        self.init(
            code: code,
            message: error.message,
            isRetryable: !final.contains(error.code),
            transportError: error
        )
    }

    /// The error of a call that the client's own limiter did not admit before the deadline.
    init(notSent call: AppStoreServerCall, retryAfter: RetryAfter) {
        let seconds = retryAfter.delay.addingClamped(999) / 1000
        self.init(
            code: .rateLimitedByClient,
            message: "\(call.title) was not sent: Apple's rate limit allows it in \(seconds) s, after the deadline. "
                + "Spread the calls, or allow more time.",
            isRetryable: true,
            retryAfter: retryAfter
        )
    }

    static let cancelledCall = AppStoreClientError(code: .cancelled, message: "The task was cancelled.")

    private static func code(status: Int, apiError: AppStoreServerAPIError?) -> Code {
        switch (status, apiError?.code) {
        case (_, AppStoreServerAPIError.transactionIdNotFound.code),
            (_, AppStoreServerAPIError.originalTransactionIdNotFound.code):
            .transactionNotFound
        case (_, AppStoreServerAPIError.invalidRequestRevision.code),
            (_, AppStoreServerAPIError.invalidPaginationToken.code):
            .cursorInvalid
        case (_, AppStoreServerAPIError.paginationTokenExpired.code): .cursorExpired
        case (429, _): .rateLimited
        case (400..<500, _): .refused
        case (500..<600, _): .serverFault
        default: .unexpectedStatus
        }
    }

    /// Errors with a number define this themselves; otherwise rate limits, timeouts and server errors are retryable.
    private static func isRetryable(_ body: AppStoreServerAPIErrorBody) -> Bool {
        let status = body.httpStatus
        return body.isRetryable || status == 408 || status == 429 || (500..<600).contains(status) && status != 501
    }

    private static func message(
        _ body: AppStoreServerAPIErrorBody,
        code: Code,
        call: AppStoreServerCall
    ) -> String {
        "Apple answered \(call.title) with HTTP status \(body.httpStatus)\(said(body)). \(remedy(body, code, call))"
    }

    /// The content of the body: the error, its name and Apple's message.
    private static func said(_ body: AppStoreServerAPIErrorBody) -> String {
        guard let error = body.error else { return body.codeText.map { ", error \($0)" } ?? "" }
        let name = error.name.isEmpty ? "" : " \(error.name)"
        let sentence = error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
        return ", error \(error.code)\(name)" + (sentence.isEmpty ? "" : ": \(sentence)")
    }

    private static func remedy(
        _ body: AppStoreServerAPIErrorBody,
        _ code: Code,
        _ call: AppStoreServerCall
    ) -> String {
        switch code {
        case .transactionNotFound:
            "It is not in this environment: try the other one, or retry shortly if it is new."
        case .cursorInvalid:
            "Use a cursor only with its own customer, app, environment and filters; otherwise start again."
        case .cursorExpired:
            "Start again with the same request body for every page: the cursor has expired, or the body has changed."
        case .rateLimited:
            "The quota of this call is used up: wait for `retryAfter`, and spread the calls."
        case .unexpectedStatus:
            "Apple does not send this answer: check the base URL."
        case .refused where body.error == nil:
            remedyWithoutObject(body, call)
        default:
            body.meaning
        }
    }

    /// An explanation for answers without Apple's error object.
    private static func remedyWithoutObject(
        _ body: AppStoreServerAPIErrorBody,
        _ call: AppStoreServerCall
    ) -> String {
        switch (call.family, body.httpStatus) {
        case (.externalPurchase, 400) where body.reportErrors.count > 1:
            "Nothing was stored. \(body.reportErrors.count) errors, the first: \(body.meaning) Read the others in the "
                + "body (`SendReportErrorResponse`), correct all, and send the whole report again."
        case (.retentionMessaging, 404):
            "The team may have no access to this part of the Retention Messaging API: ask Apple for it."
        default:
            body.meaning
        }
    }
}
