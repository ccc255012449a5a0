import HTTPTypes

/// The error of a route outside Apple's API.
///
/// The body is `{"error":{"code","message","path"}}`. The code is stable; the message is for people and names the
/// remedy.
struct StoreCallError: Error, Hashable {
    /// The HTTP status of the response.
    var status: HTTPResponse.Status
    /// A stable name in snake_case, for programs.
    var code: String
    /// One sentence that states the problem and the remedy.
    var message: String
    /// The body member or query parameter that caused the error.
    var path: String?

    init(_ status: HTTPResponse.Status, code: String, message: String, path: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.path = path
    }
}

extension StoreCallError {
    static func invalid(_ code: String, _ message: String, path: String? = nil) -> StoreCallError {
        StoreCallError(.badRequest, code: code, message: message, path: path)
    }

    static func unprocessable(_ code: String, _ message: String, path: String? = nil) -> StoreCallError {
        StoreCallError(.unprocessableContent, code: code, message: message, path: path)
    }

    static func unknownPath(_ path: String) -> StoreCallError {
        StoreCallError(
            .notFound,
            code: "unknown_path",
            message: """
                there is nothing at \(path.prefix(200)): Apple's paths begin with /inApps/, the store's own with \
                /_store/ (GET /_store lists all calls)
                """
        )
    }

    static func wrongMethod(_ method: String, allowed: [String]) -> StoreCallError {
        StoreCallError(
            .methodNotAllowed,
            code: "method_not_allowed",
            message: "\(method) is not possible here: use \(allowed.joined(separator: " or "))"
        )
    }
}
