import HTTPTypes
package import Hummingbird

/// Distinguishes a path with other methods (405, with `Allow`) from one that does not exist (404).
///
/// It is added to the router after the routes, so it sees only requests without a route.
package struct MethodMiddleware: RouterMiddleware {
    private struct Route: Sendable {
        let path: RouterPath
        let method: HTTPRequest.Method
    }

    private let routes: [Route]

    /// Makes the middleware.
    ///
    /// - Parameter routes: All routes of the router.
    package init(routes: [Router<ServerRequestContext>.RouteDescription]) {
        self.routes = routes.map { Route(path: $0.path, method: $0.method) }
    }

    /// Responds 405 if the path has routes with other methods.
    @concurrent package func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        let allowed = methods(at: request.uri.path)
        guard !allowed.isEmpty, !allowed.contains(request.method.rawValue) else {
            return try await next(request, context)
        }
        let names = allowed.sorted().joined(separator: ", ")
        var response = Response.failure(.methodNotAllowed(names), requestID: context.requestID)
        response.headers[.allow] = names
        return response
    }

    private func methods(at path: String) -> Set<String> {
        let segments = path.split(separator: "/")
        let fitting = routes.filter { route in
            let components = route.path.components
            return components.count == segments.count && zip(components, segments).allSatisfy { $0 ~= $1 }
        }
        return Set(fitting.map(\.method.rawValue))
    }
}

extension APIError {
    fileprivate static func methodNotAllowed(_ allowed: String) -> APIError {
        APIError(
            .methodNotAllowed,
            .invalidRequest,
            "method_not_allowed",
            "This path does not have this method. It has: \(allowed)."
        )
    }
}
