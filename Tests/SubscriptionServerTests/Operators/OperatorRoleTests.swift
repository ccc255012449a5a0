import HTTPTypes
import Hummingbird
import Logging
import SubscriptionServer
import SubscriptionStorage
import Testing

/// The role of a person decides which routes are open.
@Suite struct `The role of an operator` {
    @Test(arguments: [
        (OperatorRole.viewer, KeyScope.read), (.support, .write), (.operator, .operate), (.admin, .admin),
    ])
    func `opens exactly the routes of its scope`(role: OperatorRole, scope: KeyScope) async throws {
        let scene = try await OperatorScene()
        let key = try await scene.addKey("anna", role: role)
        let routes = buildRouter(services: scene.server.services, clock: nil, logger: Logger(label: "test")).routes
        var checked = 0
        for route in routes where "\(route.path)".hasPrefix("/v1/") && route.method != .head {
            let path = "\(route.path)"
            guard path != "/v1/apple/notifications", !path.hasPrefix("/v1/operator_sessions") else { continue }
            let target = path.replacing(/\{[a-z_]+\}/, with: "nobody")
            let answer = try await scene.send(route.method, target, key: key)
            let isRefused = try answer.status == 403 && answer.errorCode() == "scope_required"
            let needed = try #require(RouteTable.scopes["\(route.method) \(path)"], "\(route.method) \(path)")
            #expect(isRefused == (scope < needed), "\(route.method) \(path)")
            checked += 1
        }
        #expect(checked > 60)
    }

    @Test func `is named when it is not enough, and nothing is changed`() async throws {
        let scene = try await OperatorScene()
        let key = try await scene.addKey("anna", role: .viewer)
        let body = #"{"product_ids":["pro.monthly"]}"#
        let refused = try await scene.send(.put, "/v1/entitlements/pro", key: key, body: body)
        #expect(refused.status == 403)
        #expect(try refused.string("error", "message")?.contains("anna (viewer) has read") == true)
        #expect(try await scene.server.send(.get, "/v1/entitlements").count("data") == 0)
    }
}
