import HTTPTypes
package import Hummingbird

/// Closes the connection of a client that offers another protocol (as Java's client offers HTTP/2), so that it opens a
/// new one for its next request.
///
/// SwiftNIO (2.101) stops reading from a connection after an `Upgrade` header, so the next request on it would never be
/// answered.
package struct UpgradeMiddleware: RouterMiddleware {
    /// Makes the middleware.
    package init() {}

    /// Responds, and closes the connection if another protocol was offered.
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
