import HTTPTypes
import Hummingbird

/// Closes the connection of a client that offers another protocol, as Java does with HTTP/2, so that its next request
/// opens a new one.
///
/// SwiftNIO (2.101) stops reading from a connection after an `Upgrade` offer, so the next request on it would never be
/// answered.
struct UpgradeMiddleware: RouterMiddleware {
    typealias Context = StoreContext

    /// Answers, and closes the connection if another protocol was offered.
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
