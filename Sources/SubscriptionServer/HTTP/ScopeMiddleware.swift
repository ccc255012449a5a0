import HTTPTypes
package import Hummingbird
import SubscriptionOperations
import SubscriptionStorage

/// Refuses requests whose key may not call the route.
///
/// It follows ``KeyLimitMiddleware``, so that refused requests count toward the limit of their key or address.
package struct ScopeMiddleware: RouterMiddleware {
    /// Makes the middleware.
    package init() {}

    /// Runs the request if the key's scope is enough. A publishable key has no scope: it opens only the routes that are
    /// listed for it.
    ///
    /// - Throws: `key_missing` (401) without ``KeyMiddleware``; `scope_required` or `secret_key_required` (403).
    @concurrent package func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        try Self.check(try context.anyKey(), context, request.method)
        return try await next(request, context)
    }

    private static func check(
        _ key: APIKeyRecord,
        _ context: ServerRequestContext,
        _ method: HTTPRequest.Method
    ) throws(APIError) {
        guard key.kind == .secret else {
            guard let path = context.endpointPath, RouteScopes.acceptsPublishableKeys(method, path) else {
                throw .secretKeyRequired
            }
            return
        }
        guard key.scope < .admin else { return }
        let needed = context.endpointPath.map { RouteScopes.scope(method, $0) } ?? .admin
        guard key.scope >= needed else { throw .scopeRequired(needed, key, context.person) }
    }
}

extension APIError {
    fileprivate static func scopeRequired(
        _ scope: KeyScope,
        _ key: APIKeyRecord,
        _ person: OperatorAccount?
    ) -> APIError {
        let holder = person.map { "\($0.name) (\($0.role.rawValue))" } ?? key.shownText
        let remedy =
            person == nil
            ? "Use a key with that scope, or make one with perennial keys create --scope \(scope.rawValue)."
            : "Ask somebody whose role has it, or have the role changed with perennial operators change."
        return APIError(
            .forbidden,
            .permission,
            "scope_required",
            "This needs the scope \(scope.rawValue), and \(holder) has \(key.scope.rawValue). \(remedy)"
        )
    }
}
