import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// The receivers: the developer's server for notifications, and servers that follow the clock.
struct StoreDeliveryController: Sendable {
    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.get("/_store/notification-endpoint", endpoint)
        routes.put("/_store/notification-endpoint", setEndpoint)
        routes.get("/_store/notifications", notifications)
        routes.get("/_store/followers", listFollowers)
        routes.post("/_store/followers", join)
        routes.delete("/_store/followers/{id}", leave)
    }

    @Sendable private func endpoint(_ request: Request, _ context: StoreContext) async throws -> Response {
        .json(await coordinator.read { Self.endpointJSON($0) })
    }

    @Sendable private func setEndpoint(_ request: Request, _ context: StoreContext) async throws -> Response {
        let fields = try await request.fields(["url", "version"])
        guard fields.has("url") else {
            throw StoreCallError.invalid("missing_field", "url is missing: give a URL, or null for none", path: "url")
        }
        let version = try fields.choice("version", of: NotificationVersion.self)
        let url = try fields.url("url")?.text
        return .json(
            try await coordinator.read { store in
                try store.setNotificationEndpoint(url: url, version: version)
                return Self.endpointJSON(store)
            }
        )
    }

    @Sendable private func notifications(_ request: Request, _ context: StoreContext) async throws -> Response {
        let page = try PageQuery(request)
        return .json(try await coordinator.read { try $0.notifications(after: page.cursor, limit: page.limit) }.json)
    }

    @Sendable private func listFollowers(_ request: Request, _ context: StoreContext) async throws -> Response {
        let followers = await coordinator.followers.followers
        return .json(["followers": .array(followers.map { .object($0.json) })])
    }

    @Sendable private func join(_ request: Request, _ context: StoreContext) async throws -> Response {
        let fields = try await request.fields(["settleUrl", "token", "notificationUrl"])
        guard let settleURL = try fields.url("settleUrl") else {
            throw StoreCallError.invalid("missing_field", "settleUrl is missing: it must be a URL", path: "settleUrl")
        }
        let (follower, now) = try await coordinator.join(
            settleURL: settleURL,
            token: try fields.headerText("token"),
            notificationURL: try fields.url("notificationUrl")
        )
        return .json(["followerId": .string(follower.id), "now": .integer(now)])
    }

    @Sendable private func leave(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        guard await coordinator.leave(id: id) else {
            throw StoreCallError(
                .notFound,
                code: "follower_not_found",
                message: "no follower has this identifier: GET /_store/followers lists them"
            )
        }
        return Response(status: .noContent)
    }

    private static func endpointJSON(_ store: LocalAppStore) -> JSONObject {
        [
            "url": store.notificationURL.map { .string($0) } ?? .null,
            "version": .string(store.settings.notificationVersion.rawValue),
        ]
    }
}
