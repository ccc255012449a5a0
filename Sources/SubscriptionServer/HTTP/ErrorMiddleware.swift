import AppStoreModel
package import HTTPTypes
package import Hummingbird
package import Logging
import SubscriptionCore
package import SubscriptionOperations

/// Converts errors to responses and adds the request identifier.
package struct ErrorMiddleware: RouterMiddleware {
    /// Short, because overload usually passes quickly, and Apple has its own schedule.
    private static let retryAfterSeconds = "2"
    /// The longest wait that a response asks for because of Apple's limits, in milliseconds.
    private static let retryAfterMax: Int64 = 86_400_000

    private let logger: Logger
    private let time: any TimeSource

    /// Makes the middleware.
    ///
    /// - Parameter time: The clock that Apple's times are compared with.
    package init(logger: Logger, time: any TimeSource) {
        self.logger = logger
        self.time = time
    }

    /// Runs the request and responds to its error: expected errors with their code, others without details.
    @concurrent package func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let error as RateLimitedError {
            response = answer(to: error.base, request, context)
            error.state.add(to: &response.headers)
        } catch {
            response = answer(to: error, request, context)
        }
        if let name = HTTPField.Name.requestID { response.headers[name] = context.requestID }
        // A response to HEAD has no content; a client would read it as the next response.
        if request.method == .head { response.body = ResponseBody() }
        if response.status == .serviceUnavailable, response.headers[.retryAfter] == nil {
            response.headers[.retryAfter] = Self.retryAfterSeconds
        }
        return response
    }

    private func answer(to error: any Error, _ request: Request, _ context: ServerRequestContext) -> Response {
        switch error {
        case let error as APIError: return .failure(error, requestID: context.requestID)
        case let error as OperationError:
            log(error, request, context)
            var response = Response.failure(APIError(error), requestID: context.requestID)
            if let seconds = seconds(until: error.retryAt) { response.headers[.retryAfter] = "\(seconds)" }
            return response
        case let error as HTTPError where error.status == .notFound:
            return .failure(.noSuchRoute, requestID: context.requestID)
        case let error as HTTPError where error.status == .contentTooLarge:
            return .failure(.bodyTooLarge, requestID: context.requestID)
        default:
            // Only the type is logged, because the message may contain request data or stored data.
            logger.error(
                "Request failed (500) by a defect of this program: report it with the kind of error",
                metadata: ["request_id": "\(context.requestID)", "error": "\(String(reflecting: type(of: error)))"]
            )
            return .failure(.unexpected, requestID: context.requestID)
        }
    }

    /// The whole seconds until a time, at least one; nil if it is over or not known.
    private func seconds(until retryAt: Timestamp?) -> Int64? {
        let now = time.now()
        guard let retryAt, retryAt > now else { return nil }
        let latest = now.adding(milliseconds: Self.retryAfterMax)
        return (min(retryAt, latest).milliseconds - now.milliseconds + 999) / 1_000
    }

    private func log(_ error: OperationError, _ request: Request, _ context: ServerRequestContext) {
        var metadata: Logger.Metadata = ["request_id": "\(context.requestID)", "code": "\(error.code)"]
        if let parameter = error.parameter { metadata["param"] = "\(parameter)" }
        if let detail = error.detail, !detail.isEmpty { metadata["detail"] = "\(detail)" }
        switch error.kind {
        case .unavailable:
            let level: Logger.Level = error.needsOperator ? .error : .warning
            logger.log(level: level, "Request failed (503): \(error.message)", metadata: metadata)
        case .invalidRequest: logger.notice("Request refused (400)", metadata: metadata)
        case .notFound: logger.debug("Request refused (404)", metadata: metadata)
        case .conflict: logger.debug("Request refused (409)", metadata: metadata)
        }
    }
}

extension HTTPField.Name {
    /// The request identifier, for support.
    package static let requestID = HTTPField.Name("x-request-id")
}

extension APIError {
    fileprivate static let bodyTooLarge = APIError(
        .contentTooLarge,
        .invalidRequest,
        "body_too_large",
        "The body is larger than this route takes: send less at once."
    )

    fileprivate static let unexpected = APIError(
        .internalServerError,
        .api,
        "internal_error",
        "The server failed unexpectedly. Try again later; if it persists, report it with this request id.",
        isRetryable: true
    )
}

extension Response {
    /// An error in the form of the API.
    static func failure(_ error: APIError, requestID: String) -> Response {
        var body = JSONObject()
        body["type"] = .string(error.kind.rawValue)
        body["code"] = .string(error.code)
        body["message"] = .string(error.message)
        if let parameter = error.parameter { body["param"] = .string(parameter) }
        body["retryable"] = .bool(error.isRetryable)
        body["request_id"] = .string(requestID)
        var object = JSONObject()
        object["error"] = .object(body)
        return .json(object, status: error.status)
    }
}
