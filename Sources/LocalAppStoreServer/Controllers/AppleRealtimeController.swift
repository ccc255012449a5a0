import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// The calls of Apple's Retention Messaging API about the developer's real-time URL and its performance.
///
/// Without access they answer 404 without a body, as do performance tests outside the sandbox.
struct AppleRealtimeController: Sendable {
    let coordinator: StoreCoordinator
    let gate: AppleGate

    func addRoutes(to routes: inout RouteTable) {
        let path = "/inApps/v1/messaging"
        routes.get("\(path)/realtime/url", gate.guarded(.getRealtimeURL, withAccess(url)))
        routes.put("\(path)/realtime/url", gate.guarded(.configureRealtimeURL, withAccess(setURL)))
        routes.delete("\(path)/realtime/url", gate.guarded(.deleteRealtimeURL, withAccess(deleteURL)))
        routes.post("\(path)/performanceTest", gate.guarded(.initiatePerformanceTest, withAccess(initiateTest)))
        routes.get(
            "\(path)/performanceTest/result/{id}",
            gate.guarded(.getPerformanceTestResults, withAccess(testResults))
        )
    }

    private func withAccess(_ handler: @escaping RouteTable.Handler) -> RouteTable.Handler {
        { request, context in
            guard await coordinator.read({ $0.hasRetentionMessagingAccess }) else { return Response(status: .notFound) }
            return try await handler(request, context)
        }
    }

    @Sendable private func url(_ request: Request, _ context: StoreContext) async throws -> Response {
        .json(try await coordinator.read { try $0.realtimeURL() }.json)
    }

    @Sendable private func setURL(_ request: Request, _ context: StoreContext) async throws -> Response {
        let body = try RealtimeUrlRequest(appleBody: await request.appleBody())
        try await coordinator.read { try $0.configureRealtimeURL(request: body) }
        return Response(status: .ok)
    }

    @Sendable private func deleteURL(_ request: Request, _ context: StoreContext) async throws -> Response {
        try await coordinator.read { try $0.deleteRealtimeURL() }
        return Response(status: .ok)
    }

    @Sendable private func initiateTest(_ request: Request, _ context: StoreContext) async throws -> Response {
        let body = try PerformanceTestRequest(appleBody: await request.appleBody())
        guard let answer = try await coordinator.read({ try $0.initiatePerformanceTest(request: body) }) else {
            return Response(status: .notFound)
        }
        return .json(answer.json)
    }

    @Sendable private func testResults(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        guard let answer = try await coordinator.read({ try $0.performanceTestResults(requestId: id) }) else {
            return Response(status: .notFound)
        }
        return .json(answer.json)
    }
}
