import AppStoreModel
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// Which versions of Apple's notifications arrive, and test notifications.
package struct NotificationVersionsController: Sendable {
    private let versions: NotificationVersions

    /// Makes the controller.
    package init(versions: NotificationVersions) {
        self.versions = versions
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("apple/notification_versions", use: show)
        group.post("apple/test_notifications", use: requestTest)
        group.get("apple/test_notifications/{token}", use: showTest)
    }

    private func show(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let state = try await versions.state(of: app)
        var versionOne = JSONObject()
        versionOne["count"] = .integer(state.versionOneCount)
        versionOne["last_received_at"] = state.lastVersionOneAt.map { .integer($0.milliseconds) } ?? .null
        var versionTwo = JSONObject()
        versionTwo["first_received_at"] = state.firstVersionTwoAt.map { .integer($0.milliseconds) } ?? .null
        var object = JSONObject()
        object["object"] = .string("notification_versions")
        object["bundle_id"] = .string(app.bundleID)
        object["environment"] = .text(app.environment?.rawValue)
        object["evaluated_at"] = .integer(state.evaluatedAt.milliseconds)
        object["version_1"] = .object(versionOne)
        object["version_2"] = .object(versionTwo)
        return .json(object)
    }

    /// The answer to a repeated request with the same idempotency key is the first one, so Apple sends only one.
    private func requestTest(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        var object = JSONObject()
        object["object"] = .string("test_notification")
        object["token"] = .string(try await versions.requestTest(of: app))
        return .json(object, status: .accepted)
    }

    private func showTest(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let token = try context.parameters.require("token").checkedParameter("token")
        let test = try await versions.test(token, of: app)
        var object = JSONObject()
        object["object"] = .string("test_notification")
        object["token"] = .string(token)
        object["result"] = .text(test.result)
        object["received"] = .bool(test.isHeld)
        return .json(object)
    }
}
