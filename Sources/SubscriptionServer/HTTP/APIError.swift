import HTTPTypes
package import Hummingbird
package import SubscriptionOperations
import SubscriptionStorage

/// The error response of a request.
package struct APIError: Error, Hashable, Sendable {
    /// The family of the error.
    package enum Kind: String, Sendable {
        /// The request can never work.
        case invalidRequest = "invalid_request_error"
        /// The key is missing or unknown.
        case authentication = "authentication_error"
        /// The key may not do this.
        case permission = "permission_error"
        /// The requested object does not exist.
        case notFound = "not_found_error"
        /// It conflicts with the stored data.
        case conflict = "conflict_error"
        /// Too many requests in a short time.
        case rateLimit = "rate_limit_error"
        /// The server cannot process it now.
        case api = "api_error"
    }

    /// The HTTP status.
    package let status: HTTPResponse.Status
    /// The family of the error.
    package let kind: Kind
    /// The stable reason.
    package let code: String
    /// What went wrong and what to do.
    package let message: String
    /// The field that is wrong.
    package let parameter: String?
    /// Whether the same request may work later.
    package let isRetryable: Bool

    /// Makes an error.
    package init(
        _ status: HTTPResponse.Status,
        _ kind: Kind,
        _ code: String,
        _ message: String,
        parameter: String? = nil,
        isRetryable: Bool = false
    ) {
        self.status = status
        self.kind = kind
        self.code = code
        self.message = message
        self.parameter = parameter
        self.isRetryable = isRetryable
    }
}

extension APIError {
    /// The HTTP error of a use case's error.
    package init(_ error: OperationError) {
        let (status, kind): (HTTPResponse.Status, Kind) =
            switch error.kind {
            case .invalidRequest: (.badRequest, .invalidRequest)
            case .notFound: (.notFound, .notFound)
            case .conflict: (.conflict, .conflict)
            case .unavailable: (.serviceUnavailable, .api)
            }
        self.init(
            status,
            kind,
            error.code,
            error.message,
            parameter: error.parameter,
            isRetryable: error.isRetryable
        )
    }

    /// A field of the request is missing or wrong.
    package static func invalid(_ parameter: String, _ message: String) -> APIError {
        APIError(.badRequest, .invalidRequest, "parameter_invalid", message, parameter: parameter)
    }

    /// A required field is missing.
    package static func missing(_ parameter: String, _ message: String) -> APIError {
        APIError(.badRequest, .invalidRequest, "parameter_missing", message, parameter: parameter)
    }

    /// A field or parameter that is not a time.
    package static func invalidTime(_ parameter: String) -> APIError {
        .invalid(
            parameter,
            "\(parameter) must be milliseconds since 1970, or ISO 8601 such as 2026-02-08 or 2026-02-08T09:30:00Z."
        )
    }

    /// No route has this method and path.
    package static let noSuchRoute = APIError(
        .notFound,
        .notFound,
        "route_not_found",
        "No route has this method and path. GET /openapi.yaml lists the routes."
    )
}
