import HTTPTypes
import Hummingbird

/// Lets a client that offers another protocol, as Java's offers HTTP/2, open a new connection for its next request.
///
/// SwiftNIO (2.101) reads nothing more from a connection on which `Upgrade` was offered, so the next request on it
/// would never be answered.
struct UpgradeMiddleware: RouterMiddleware {
    typealias Context = StoreContext

    /// Answers, and ends the connection where another protocol was offered.
    @concurrent func handle(
        _ request: Request,
        context: StoreContext,
        next: @concurrent (Request, StoreContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if request.headers.contains(.upgrade) { response.headers[.connection] = "close" }
        return response
    }
}
