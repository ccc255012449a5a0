import AppStoreModel
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// The app of a key and its settings.
package struct AppController: Sendable {
    private static let bodyBytesMax = 16 << 10

    private let administration: AppAdministration

    /// Makes the controller.
    package init(administration: AppAdministration) {
        self.administration = administration
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("app", use: show)
        group.patch("app", use: change)
    }

    private func show(_ request: Request, context: ServerRequestContext) async throws -> Response {
        try await answer(try context.secretKey().appID)
    }

    private func change(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let body = try await request.jsonObject(limit: Self.bodyBytesMax)
        try body.allowOnly(["transfer_policy"])
        guard let policy = TransferPolicy(rawValue: try body.requiredText("transfer_policy")) else {
            let known = TransferPolicy.allCases.map(\.rawValue).joined(separator: ", ")
            throw APIError.invalid("transfer_policy", "transfer_policy must be one of \(known).")
        }
        try await administration.decide(policy, app: app, by: try context.keyHolder())
        return try await answer(app)
    }

    private func answer(_ id: AppID) async throws -> Response {
        let (app, settings) = try await administration.app(id)
        var object = JSONObject()
        object["object"] = .string("app")
        object["bundle_id"] = .text(app?.bundleID)
        object["environment"] = .text(app?.environment.rawValue)
        object["apple_id"] = app?.appleID.map { .integer($0) } ?? .null
        object["transfer_policy"] = .string(settings.transferPolicy.rawValue)
        return .json(object)
    }
}
