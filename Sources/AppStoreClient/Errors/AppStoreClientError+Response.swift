import AppStoreModel

extension AppStoreClientError {
    /// The error of an answer that is no success.
    ///
    /// - Parameters:
    ///   - response: The answer, without the token.
    ///   - call: What was asked.
    ///   - now: The wall clock, in milliseconds since 1970.
    init(refusal response: AppStoreHTTPResponse, of call: AppStoreServerCall, now: Int64) {
        let body = ErrorBody(response.body)
        let code = Self.code(status: response.status, apiError: body.apiError)
        let message = Self.message(response, body: body, code: code, call: call)
        self.init(
            code: code,
            message: message,
            isRetryable: Self.isRetryable(status: response.status, apiError: body.apiError),
            response: response,
            apiError: body.apiError,
            apiErrorText: body.text,
            retryAfter: response.headers["retry-after"].flatMap { RetryAfter($0, now: now) }
        )
    }

    /// The error of an answer 401.
    init(unauthorized response: AppStoreHTTPResponse, diagnosis: UnauthorizedDiagnosis) {
        let body = ErrorBody(response.body)
        self.init(
            code: .unauthorized,
            message: diagnosis.message,
            response: response,
            apiError: body.apiError,
            apiErrorText: body.text,
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

    /// A documented error says so itself; else a rate limit, a timeout and a fault of the server pass.
    private static func isRetryable(status: Int, apiError: AppStoreServerAPIError?) -> Bool {
        if let apiError, apiError.isRetryable { return true }
        return status == 408 || status == 429 || (500..<600).contains(status) && status != 501
    }

    private static func message(
        _ response: AppStoreHTTPResponse,
        body: ErrorBody,
        code: Code,
        call: AppStoreServerCall
    ) -> String {
        var sentences = ["Apple answered \(call.title) with HTTP status \(response.status)\(said(body))."]
        if let remedy = remedy(code, hasObject: body.apiError != nil, call: call, status: response.status) {
            sentences.append(remedy)
        }
        return sentences.joined(separator: " ")
    }

    private static func said(_ body: ErrorBody) -> String {
        if let error = body.apiError {
            let name = error.name.isEmpty ? "" : " \(error.name)"
            let text = error.message.isEmpty ? "" : ": \(withoutFullStop(error.message))"
            return ", error \(error.code)\(name)\(text)"
        }
        return body.text.map { ", error \($0)" } ?? ""
    }

    private static func withoutFullStop(_ text: String) -> String {
        text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    private static func remedy(_ code: Code, hasObject: Bool, call: AppStoreServerCall, status: Int) -> String? {
        switch code {
        case .transactionNotFound:
            "It is not in this environment: ask the other one, and ask again shortly if it was made just now."
        case .cursorInvalid:
            "Use a cursor only with the customer, app, environment and filters that it came from; else begin anew."
        case .cursorExpired:
            "Begin anew, with the same request body for every page: the cursor is too old, or the body has changed."
        case .rateLimited:
            "The quota of this call is used up: wait for `retryAfter`, and spread the calls."
        case .serverFault:
            "The fault is the server's: try again later."
        case .unexpectedStatus:
            "Check the base URL: Apple does not answer so."
        case .refused where !hasObject:
            remedyWithoutObject(call, status: status)
        default:
            nil
        }
    }

    /// What Apple leaves unsaid where it sends no error object.
    private static func remedyWithoutObject(_ call: AppStoreServerCall, status: Int) -> String {
        switch (call.family, status) {
        case (.externalPurchase, 400):
            "Nothing was stored: read the errors in the body, mend the lines, and send the whole report again "
                + "with the same requestIdentifier."
        case (.retentionMessaging, 404):
            "The team may have no access to this part of the Retention Messaging API: ask Apple for it."
        case (_, 400):
            "The request is malformed: check the body against Apple's documentation."
        default:
            "There is no error object; the body is kept as it came. Check the base URL and the path."
        }
    }
}
