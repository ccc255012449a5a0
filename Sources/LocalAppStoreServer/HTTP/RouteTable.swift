import AppStoreModel
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// Collects the routes of all controllers, so that a known path with a wrong method answers 405 instead of 404.
struct RouteTable {
    typealias Handler = @Sendable (Request, StoreContext) async throws -> Response

    private struct Route {
        var path: String
        var handlers: [(method: HTTPRequest.Method, handler: Handler)]
    }

    /// The methods that clients may use; a path answers 405 to those that it does not support.
    private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete]

    private var routes: [Route] = []

    mutating func get(_ path: String, _ handler: @escaping Handler) { add(.get, path, handler) }
    mutating func put(_ path: String, _ handler: @escaping Handler) { add(.put, path, handler) }
    mutating func post(_ path: String, _ handler: @escaping Handler) { add(.post, path, handler) }
    mutating func delete(_ path: String, _ handler: @escaping Handler) { add(.delete, path, handler) }

    /// Answers all of these methods.
    mutating func any(_ path: String, _ handler: @escaping Handler) {
        for method in Self.methods { add(method, path, handler) }
    }

    /// Answers a call of Apple's API, after the checks of the gate, at the method and the path of the model's table.
    ///
    /// If the path has one parameter, its name here is `id`. The table has different names at the same place, for
    /// example in `transactions/{transactionId}` and `transactions/{originalTransactionId}/appAccountToken`. The router
    /// would then use the route that was added first.
    mutating func add(_ identifier: AppStoreServerCall.Identifier, _ gate: AppleGate, _ handler: @escaping Handler) {
        let call = identifier.call
        guard let method = HTTPRequest.Method(call.method) else { return }
        let parameters = call.pathParameters
        let path = parameters.count == 1 ? call.path.replacing("{\(parameters[0])}", with: "{id}") : call.path
        add(method, path, gate.guarded(identifier, handler))
    }

    private mutating func add(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) {
        if let index = routes.firstIndex(where: { $0.path == path }) {
            routes[index].handlers.append((method, handler))
        } else {
            routes.append(Route(path: path, handlers: [(method, handler)]))
        }
    }

    /// All calls, for example `GET /_store/status`, ordered by path.
    var calls: [String] {
        routes.sorted { $0.path < $1.path }.flatMap { route in
            route.handlers.map { "\($0.method.rawValue) \(route.path)" }
        }
    }

    /// Adds all routes, and a 405 response for each unsupported method, to the router.
    func register(in router: Router<StoreContext>) {
        for route in routes {
            for (method, handler) in route.handlers {
                router.on(RouterPath(route.path), method: method, use: handler)
            }
            let allowed = route.handlers.map(\.method)
            for method in Self.methods where !allowed.contains(method) {
                router.on(RouterPath(route.path), method: method) { _, _ in
                    let names = allowed.map(\.rawValue)
                    var response = Response.refusal(.wrongMethod(method.rawValue, allowed: names))
                    response.headers[.allow] = names.joined(separator: ", ")
                    return response
                }
            }
        }
    }
}
