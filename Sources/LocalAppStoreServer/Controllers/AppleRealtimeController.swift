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
        routes.add(.getRealtimeURL, gate, withAccess(url))
        routes.add(.configureRealtimeURL, gate, withAccess(setURL))
        routes.add(.deleteRealtimeURL, gate, withAccess(deleteURL))
        routes.add(.initiatePerformanceTest, gate, withAccess(initiateTest))
        routes.add(.getPerformanceTestResults, gate, withAccess(testResults))
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
