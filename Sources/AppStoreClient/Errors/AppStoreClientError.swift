public import AppStoreModel

/// Why a call failed: a stable code, and a message with the remedy.
///
/// It contains the server's answer, byte for byte, but never a bearer token, which is removed even from the answer. Two
/// errors are equal if their codes are equal.
public struct AppStoreClientError: Error, Sendable {
    /// A stable, machine-readable reason in `snake_case`.
    ///
    /// Open: later versions may add codes, so switch with a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as it appears in logs and answers.
        public let rawValue: String

        /// Wraps a code, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The stable reason.
    public let code: Code

    /// One or a few sentences for people, with the remedy.
    public internal(set) var message: String

    /// Whether the same call may succeed when it is repeated later.
    ///
    /// Never for a call that may already have taken effect (``mayHaveTakenEffect``).
    public internal(set) var isRetryable: Bool

    /// Whether Apple may have processed a call that is not idempotent (`AppStoreServerCall.isRepeatable`): check its
    /// effect before you repeat it.
    public internal(set) var mayHaveTakenEffect = false

    /// The call's name, such as `get-transaction-info`.
    public internal(set) var call: String?

    /// The environment of the last attempt; nil if the call failed before that.
    public internal(set) var environment: AppStoreEnvironment?

    /// The number of attempts, in all environments together.
    public internal(set) var attempts = 0

    /// The complete answer of the server, if there is one.
    public let response: AppStoreHTTPResponse?

    /// Apple's error, if the answer is an error object with a number, documented or not.
    public let apiError: AppStoreServerAPIError?

    /// Apple's error code if it is not a number; the sandbox was observed to send `NOT_AUTHORIZED`.
    public let apiErrorText: String?

    /// When the next call is allowed, according to the server or the rate limiter.
    public let retryAfter: RetryAfter?

    /// The possible causes of a 401, most likely first; a single one fits everything that the client knows. Empty for
    /// every other error.
    public let unauthorizedCauses: [UnauthorizedCause]

    /// The error of the transport, if there is no complete answer.
    public let transportError: HTTPTransportError?

    /// The field of the answer that does not match Apple's documentation, for `response_malformed`.
    public let modelError: ModelError?

    /// The answers of the other environments, if more than one was tried.
    public internal(set) var otherEnvironments: [AppStoreClientError] = []

    /// Makes an error.
    public init(
        code: Code,
        message: String,
        isRetryable: Bool = false,
        response: AppStoreHTTPResponse? = nil,
        apiError: AppStoreServerAPIError? = nil,
        apiErrorText: String? = nil,
        retryAfter: RetryAfter? = nil,
        unauthorizedCauses: [UnauthorizedCause] = [],
        transportError: HTTPTransportError? = nil,
        modelError: ModelError? = nil
    ) {
        self.code = code
        self.message = message
        self.isRetryable = isRetryable
        self.response = response
        self.apiError = apiError
        self.apiErrorText = apiErrorText
        self.retryAfter = retryAfter
        self.unauthorizedCauses = unauthorizedCauses
        self.transportError = transportError
        self.modelError = modelError
    }
}

extension AppStoreClientError {
    /// Makes the error of a successful answer that is unusable.
    public init<Value>(
        _ answer: AppStoreAnswer<Value>,
        to call: AppStoreServerCall,
        code: Code,
        message: String,
        isRetryable: Bool = false,
        modelError: ModelError? = nil
    ) {
        var error = AppStoreClientError(
            code: code,
            message: message,
            isRetryable: isRetryable,
            response: answer.response,
            modelError: modelError
        )
        error.call = call.name
        error.environment = answer.answeredBy
        error.attempts = answer.attempts
        self = error.afterPossibleEffect(of: call)
    }

    /// The HTTP status of the answer.
    public var httpStatus: Int? { response?.status }

    /// The header fields of the answer; none if there was none.
    public var headers: HTTPHeaders { response?.headers ?? HTTPHeaders() }

    /// The unchanged body of the answer; empty if there was none.
    public var body: [UInt8] { response?.body ?? [] }

    /// The identifier that Apple's support needs, if a header field or the text of a 401 contains it.
    public var requestId: String? { response?.requestId }

    /// Decodes the body of the answer as one of Apple's types, such as `SendReportErrorResponse`.
    ///
    /// - Throws: `ModelError` if it is not of this type.
    public func body<Body: JSONRepresentable>(as type: Body.Type) throws(ModelError) -> Body {
        try Body(jsonBytes: body)
    }
}

extension AppStoreClientError.Code {
    /// The request is invalid: a path parameter is empty, or a body is missing or not allowed.
    public static let invalidRequest = Self(rawValue: "invalid_request")
    /// Apple does not offer this call in the chosen environment.
    public static let callNotAvailable = Self(rawValue: "call_not_available")
    /// No base URL is configured for the environment.
    public static let environmentNotConfigured = Self(rawValue: "environment_not_configured")
    /// No key is configured for the app.
    public static let keyMissing = Self(rawValue: "key_missing")
    /// The token source failed.
    public static let tokenNotMade = Self(rawValue: "token_not_made")
    /// No connection to the server.
    public static let connectionFailed = Self(rawValue: "connection_failed")
    /// The connection closed before the answer was complete.
    public static let connectionLost = Self(rawValue: "connection_lost")
    /// An attempt timed out.
    public static let timedOut = Self(rawValue: "timed_out")
    /// The call's deadline passed.
    public static let deadlineExceeded = Self(rawValue: "deadline_exceeded")
    /// The task was cancelled.
    public static let cancelled = Self(rawValue: "cancelled")
    /// The answer is larger than the limit.
    public static let responseTooLarge = Self(rawValue: "response_too_large")
    /// The answer is successful, but not the JSON that Apple documents.
    public static let responseMalformed = Self(rawValue: "response_malformed")
    /// HTTP 401: Apple does not accept the token.
    public static let unauthorized = Self(rawValue: "unauthorized")
    /// Apple refuses the request: HTTP 4xx other than 401 and 429, with or without an error object.
    public static let refused = Self(rawValue: "refused")
    /// The transaction, or original transaction, does not exist in this environment.
    public static let transactionNotFound = Self(rawValue: "transaction_not_found")
    /// HTTP 429: Apple's quota is used up.
    public static let rateLimited = Self(rawValue: "rate_limited")
    /// The client's own limiter would have to wait beyond the deadline; nothing was sent.
    public static let rateLimitedByClient = Self(rawValue: "rate_limited_by_client")
    /// HTTP 5xx.
    public static let serverFault = Self(rawValue: "server_fault")
    /// A status that is neither a success nor an error, such as a redirection.
    public static let unexpectedStatus = Self(rawValue: "unexpected_status")
    /// A cursor that Apple does not know: of another customer, app, environment or filter, or changed.
    public static let cursorInvalid = Self(rawValue: "cursor_invalid")
    /// A cursor that is expired, or that was used with another request body than the first page.
    public static let cursorExpired = Self(rawValue: "cursor_expired")
    /// Apple reports more pages, but no way to get them.
    public static let pagingStuck = Self(rawValue: "paging_stuck")
}

extension AppStoreClientError: Hashable {
    /// Whether both have the same code.
    public static func == (left: AppStoreClientError, right: AppStoreClientError) -> Bool {
        left.code == right.code
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}

extension AppStoreClientError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }

    /// The same, with the call, the environment, the status, the request identifier and the number of attempts.
    public var debugDescription: String {
        var parts = [description]
        if let call { parts.append("call \(call)") }
        if let environment { parts.append("environment \(environment)") }
        if let httpStatus { parts.append("HTTP status \(httpStatus)") }
        if let requestId { parts.append("request id \(requestId)") }
        parts.append("attempts \(attempts)")
        return parts.joined(separator: "; ")
    }
}
