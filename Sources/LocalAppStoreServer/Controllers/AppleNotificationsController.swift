import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// The calls of Apple's App Store Server API about notifications: history and tests.
struct AppleNotificationsController: Sendable {
    let coordinator: StoreCoordinator
    let gate: AppleGate

    func addRoutes(to routes: inout RouteTable) {
        routes.add(.getNotificationHistory, gate, history)
        routes.add(.requestTestNotification, gate, requestTest)
        routes.add(.getTestNotificationStatus, gate, testStatus)
    }

    @Sendable private func history(_ request: Request, _ context: StoreContext) async throws -> Response {
        let token = request.queryItems.last { $0.name == "paginationToken" }?.value
        let query = try NotificationHistoryRequest(appleBody: await request.appleBody())
        return .json(try await coordinator.read { try $0.notificationHistory(query, paginationToken: token) }.json)
    }

    @Sendable private func requestTest(_ request: Request, _ context: StoreContext) async throws -> Response {
        .json(try await coordinator.performForApple { try $0.requestTestNotification() }.json)
    }

    @Sendable private func testStatus(_ request: Request, _ context: StoreContext) async throws -> Response {
        let token = try context.pathParameter("id")
        return .json(try await coordinator.read { try $0.testNotificationStatus(token: token) }.json)
    }
}
