import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// The routes and what they need.
@Suite struct `Routes with a key` {
    /// Routes under `/v1` that need no key: Apple has none, and sessions of operators are checked by themselves.
    private static let open: Set = [
        "POST /v1/apple/notifications", "POST /v1/operator_sessions", "GET /v1/operator_sessions/current",
        "DELETE /v1/operator_sessions/current",
    ]

    private static func routes(_ server: ServerFixture) -> [(method: HTTPRequest.Method, path: String)] {
        buildRouter(services: server.services, clock: nil, logger: Logger(label: "test")).routes.compactMap { route in
            let path = "\(route.path)"
            guard path.hasPrefix("/v1/"), !open.contains("\(route.method) \(path)"), route.method != .head else {
                return nil
            }
            return (route.method, path)
        }
    }

    @Test func `are those of the table, with its scopes`() async throws {
        let routes = Self.routes(try await ServerFixture())
        #expect(Set(routes.map { "\($0.method) \($0.path)" }) == Set(RouteTable.scopes.keys))
        for (method, path) in routes {
            let name = "\(method) \(path)"
            #expect(RouteScopes.scope(method, path) == RouteTable.scopes[name], "\(name)")
            let isOpen = RouteTable.publishable.contains(name)
            #expect(RouteScopes.acceptsPublishableKeys(method, path) == isOpen, "\(name)")
        }
        // A route without a scope would need `admin`, which nobody decided.
        #expect(RouteScopes.changing == Set(RouteTable.scopes.keys.filter { !$0.hasPrefix("GET ") }))
        #expect(RouteTable.publishable.isSubset(of: RouteTable.scopes.keys))
    }

    @Test func `refuse a publishable key unless the table has them`() async throws {
        let server = try await ServerFixture(tokensForPublishableKeys: true)
        for (method, path) in Self.routes(server) {
            let target = path.replacing(/\{[a-z_]+\}/, with: "nobody")
            let answer = try await server.send(method, target, key: ServerFixture.publishable)
            let isRefused = try answer.status == 403 && answer.errorCode() == "secret_key_required"
            let isOpen = RouteTable.publishable.contains("\(method) \(path)")
            #expect(isRefused == !isOpen, "\(method) \(path): \(answer.status)")
            #expect(answer.status != 401)
        }
    }

    @Test func `refuse a publishable key before the route's own code`() async throws {
        let server = try await ServerFixture()
        let router = buildRouter(services: server.services, clock: nil, logger: Logger(label: "test"))
        let keys = KeyMiddleware(keys: server.services.keys, operators: server.services.operators, time: server.time)
        // A new route whose author forgot to ask for a secret key.
        router.group("v1").add(middleware: keys).add(middleware: ScopeMiddleware())
            .get("forgotten") { _, _ in "everything" }
        let request = Request(
            head: HTTPRequest(
                method: .get,
                scheme: "http",
                authority: "a",
                path: "/v1/forgotten",
                headerFields: [.authorization: "Bearer \(ServerFixture.publishable)"]
            ),
            body: RequestBody(buffer: ByteBuffer())
        )
        let source = ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: Logger(label: "test"))
        let context = ServerRequestContext(source: source)
        let response = try await router.buildResponder().respond(to: request, context: context)
        #expect(response.status == .forbidden)
    }
}
