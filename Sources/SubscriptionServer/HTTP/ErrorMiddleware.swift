import AppStoreModel
package import HTTPTypes
package import Hummingbird
package import Logging
import SubscriptionOperations

/// The one place where an error becomes an answer, and where a request is named.
package struct ErrorMiddleware: RouterMiddleware {
    /// Soon: what is over a limit is over in moments, and Apple has its own schedule.
    private static let retryAfterSeconds = "2"

    private let logger: Logger

    /// Makes the middleware.
    package init(logger: Logger) {
        self.logger = logger
    }

    /// Runs the request and answers its error: expected ones with their code, others with none of their detail.
    @concurrent package func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let error as APIError {
            response = .failure(error, requestID: context.requestID)
        } catch let error as OperationError {
            log(error, request, context)
            response = .failure(APIError(error), requestID: context.requestID)
        } catch let error as HTTPError where error.status == .notFound {
            response = .failure(.noSuchRoute, requestID: context.requestID)
        } catch let error as HTTPError where error.status == .contentTooLarge {
            response = .failure(.bodyTooLarge, requestID: context.requestID)
        } catch {
            // Its kind, not its words: those may repeat what was sent or stored.
            logger.error(
                "A request failed unexpectedly",
                metadata: ["request_id": "\(context.requestID)", "error": "\(String(reflecting: type(of: error)))"]
            )
            response = .failure(.unexpected, requestID: context.requestID)
        }
        if let name = HTTPField.Name.requestID { response.headers[name] = context.requestID }
        if response.status == .serviceUnavailable { response.headers[.retryAfter] = Self.retryAfterSeconds }
        return response
    }

    private func log(_ error: OperationError, _ request: Request, _ context: ServerRequestContext) {
        let metadata: Logger.Metadata = [
            "request_id": "\(context.requestID)", "code": "\(error.code)", "detail": "\(error.detail ?? "")",
        ]
        switch error.kind {
        case .unavailable: logger.error("A request waits for better times", metadata: metadata)
        case .invalidRequest: logger.notice("A request was refused", metadata: metadata)
        case .notFound, .conflict: logger.debug("A request was refused", metadata: metadata)
        }
    }
}

extension HTTPField.Name {
    /// Names the request: quote it when asking for help.
    package static let requestID = HTTPField.Name("x-request-id")
}

extension APIError {
    fileprivate static let bodyTooLarge = APIError(
        .contentTooLarge,
        .invalidRequest,
        "body_too_large",
        "The body is larger than this route takes."
    )

    fileprivate static let unexpected = APIError(
        .internalServerError,
        .api,
        "internal_error",
        "The server failed. Try again later; quote the request id if it persists.",
        isRetryable: true
    )
}

extension Response {
    /// An error as the contract has it.
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
