import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// Apple's App Store Server API, at Apple's own paths.
///
/// The order of checks is Apple's: route, token (401), syntax of path and query (400), existence (404).
struct AppleAPIController: Sendable {
    let desk: StoreDesk
    let gate: BearerGate

    func addRoutes(to routes: inout RouteTable) {
        routes.get("/inApps/v1/transactions/{id}", guarded(transactionInfo))
        routes.get("/inApps/v1/subscriptions/{id}", guarded(subscriptionStatuses))
        routes.get("/inApps/v2/history/{id}", guarded(transactionHistory))
        routes.post("/inApps/v1/notifications/test", guarded(requestTestNotification))
        routes.get("/inApps/v1/notifications/test/{token}", guarded(testNotificationStatus))
    }

    /// Lets a call through only with a good token.
    private func guarded(_ handler: @escaping RouteTable.Handler) -> RouteTable.Handler {
        { request, context in
            let now = await desk.read { $0.now }
            if let refusal = gate.refusal(request, virtualSeconds: now / 1000) { return refusal }
            return try await handler(request, context)
        }
    }

    @Sendable private func transactionInfo(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        return .json(try await desk.read { try $0.transactionInfo(transactionId: id) }.json)
    }

    @Sendable private func subscriptionStatuses(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let query = try StatusQuery(parameters: request.queryItems)
        return .json(try await desk.read { try $0.subscriptionStatuses(anyTransactionId: id, query: query) }.json)
    }

    @Sendable private func transactionHistory(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let query = try HistoryQuery(parameters: request.queryItems)
        return .json(try await desk.read { try $0.transactionHistory(anyTransactionId: id, query: query) }.json)
    }

    @Sendable private func requestTestNotification(_ request: Request, _ context: StoreContext) async throws -> Response
    {
        .json(try await desk.requestTestNotification().json)
    }

    @Sendable private func testNotificationStatus(_ request: Request, _ context: StoreContext) async throws -> Response
    {
        let token = try context.pathParameter("token")
        return .json(try await desk.read { try $0.testNotificationStatus(token: token) }.json)
    }
}
