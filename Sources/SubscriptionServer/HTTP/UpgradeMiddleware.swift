import HTTPTypes
package import Hummingbird

/// Lets a client that offers another protocol, as Java's offers HTTP/2, open a new connection for its next request.
///
/// SwiftNIO (2.101) reads nothing more from a connection on which `Upgrade` was offered, so the next request on it
/// would never be answered.
package struct UpgradeMiddleware: RouterMiddleware {
    /// Makes the middleware.
    package init() {}

    /// Answers, and ends the connection where another protocol was offered.
    @concurrent package func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if request.headers.contains(.upgrade) { response.headers[.connection] = "close" }
        return response
    }
}
